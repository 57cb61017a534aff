import { createHash } from 'node:crypto';
import type { Outcome, RunInput } from '../../harness/types.js';

/** The fields of a finding that are compared between variants; texts for users are omitted. */
export interface PlainFinding {
  readonly code: string;
  readonly employeeId: string;
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly references: readonly (readonly [type: string, id: string])[];
  readonly context: Readonly<Record<string, number | string>>;
}

/** Returns the outcome of a run: the time per workday (of the month and the adjacent months), and the digest of the findings. */
export function reviewOutcome(
  { checking }: RunInput,
  measured: { readonly ms: number; readonly workdays: number },
  findings: () => readonly PlainFinding[],
): Outcome {
  const values = { microsecondsAWorkday: (measured.ms * 1000) / measured.workdays };
  return checking ? { digest: digestOf(findings()), values } : { values };
}

function digestOf(findings: readonly PlainFinding[]): string {
  const lines = findings.map(({ code, employeeId, date, references, context }) =>
    JSON.stringify([date, code, employeeId, references, Object.entries(context).sort()]),
  );
  const codes = new Set(findings.map(({ code }) => code)).size;
  return `${codes} checks, ${lines.length} findings, ${createHash('md5').update(lines.sort().join('\n')).digest('hex')}`;
}
