import { createHash } from 'node:crypto';
import type { Outcome, RunInput } from '../../harness/types.js';

/** A finding in the form in which both sides are compared; texts for people are left out. */
export interface PlainFinding {
  readonly code: string;
  readonly employeeId: string;
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly references: readonly (readonly [type: string, id: string])[];
  readonly context: Readonly<Record<string, number | string>>;
}

/** What a run came to: the time of a workday of the month and its neighbours, and the digest of what was found. */
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
