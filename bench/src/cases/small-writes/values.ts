import { createHash } from 'node:crypto';

/** The measured operations. */
export type Operation = 'patch' | 'post' | 'entries';

/** The input of the variants. */
export interface SmallWritesValues {
  readonly operation: Operation;
  readonly token: string;
  readonly mongodbUrl: string;
  readonly institutionId: string;
  /** Port of the gateway; without it the floor is measured. */
  readonly port?: number;
  /** Ids of the rules that are changed in turn. */
  readonly ruleIds: readonly string[];
  /** Employees for whom suppressions are created. */
  readonly employeeIds: readonly string[];
  /** Date of the entries on the page, `YYYY-MM-DD`. */
  readonly date: string;
}

/** The database of the floor, with copies of the services' documents and the same indexes. */
export const FLOOR_DATABASE = 'bench';

export const PAGE = 100;

export function digestOf(seen: unknown): string {
  return createHash('sha256').update(JSON.stringify(seen)).digest('hex');
}
