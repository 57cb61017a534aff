import { createHash } from 'node:crypto';

/** Requests that are small, by what they do. */
export type Operation = 'patch' | 'post' | 'entries';

/** What the variants are given. */
export interface SmallWritesValues {
  readonly operation: Operation;
  readonly token: string;
  readonly mongodbUrl: string;
  readonly institutionId: string;
  /** Where the gateway listens; without it the floor is asked. */
  readonly port?: number;
  /** Ids of rules that are changed in turns. */
  readonly ruleIds: readonly string[];
  /** Who gets suppressions. */
  readonly employeeIds: readonly string[];
  /** `YYYY-MM-DD` of the entries on the page. */
  readonly date: string;
}

/** Where the floor writes: copies of what the services have, with the same indexes. */
export const FLOOR_DATABASE = 'bench';

export const PAGE = 100;

export function digestOf(seen: unknown): string {
  return createHash('sha256').update(JSON.stringify(seen)).digest('hex');
}
