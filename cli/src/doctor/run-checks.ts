import { Failure } from '../failure.js';
import { failed, type Finding } from './check.js';

/** One check of the doctor. */
export interface Check {
  readonly name: string;
  run(): Promise<readonly Finding[]> | readonly Finding[];
}

const SAY_EVERY_MS = 10_000;

/**
 * Runs all checks concurrently and regularly reports which of them are still running: reading whole stores may take minutes.
 * @returns their findings, in the order of the checks
 */
export async function runChecks(
  checks: readonly Check[],
  note: (text: string) => void,
  sayEveryMs = SAY_EVERY_MS,
): Promise<readonly Finding[]> {
  const underWay = new Set(checks.map(({ name }) => name));
  const saying = setInterval(() => note(`Still running: ${[...underWay].join(', ')}.`), sayEveryMs);
  const run = async (check: Check): Promise<readonly Finding[]> => {
    const findings = await findingsOf(check);
    underWay.delete(check.name);
    return findings;
  };
  try {
    return (await Promise.all(checks.map(run))).flat();
  } finally {
    clearInterval(saying);
  }
}

/** Turns an exception, such as one for a missing address, into a finding: whatever it is, it must not hide those of the other checks. */
async function findingsOf({ name, run }: Check): Promise<readonly Finding[]> {
  try {
    return await run();
  } catch (caught) {
    const [detail = '', ...advice] = Failure.fromPlatform(caught).message.split('\n');
    return [failed(name, detail, advice.join(' ') || adviceAfter(caught))];
  }
}

function adviceAfter(caught: unknown): string {
  return caught instanceof Failure
    ? 'Start the platform with "npm start".'
    : 'It could not be checked: correct its address, then try again.';
}
