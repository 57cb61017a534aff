// Prints messages of the scripts to standard error, because standard output belongs to the command that is run.

const QUIET_MS = 2_000;
const REPEAT_MS = 10_000;

/** @param {string} line */
export const say = (line) => process.stderr.write(`stechuhr: ${line}\n`);

/** @param {number} began */
export const secondsSince = (began) => `${((Date.now() - began) / 1000).toFixed(1)} s`;

/** A failure that the user can fix. It is shown without a stack trace. */
export class Advice extends Error {}

/**
 * Runs work that may take long. After two seconds its description is printed, then every ten seconds with the elapsed time.
 * @template T
 * @param {string} what
 * @param {() => Promise<T>} work
 */
export async function withProgress(what, work) {
  const began = Date.now();
  const first = setTimeout(() => say(`${what} …`), QUIET_MS);
  const repeat = setInterval(() => say(`${what} … ${secondsSince(began)}`), REPEAT_MS);
  try {
    const result = await work();
    if (Date.now() - began > QUIET_MS) say(`${what}: done in ${secondsSince(began)}`);
    return result;
  } finally {
    clearTimeout(first);
    clearInterval(repeat);
  }
}
