/** Receives one line of text for the user. */
export type Log = (line: string) => void;

const QUIET_MS = 2_000;
const REPEAT_MS = 10_000;

/** Runs some work. If it takes longer than two seconds, its start, progress and duration are printed. */
export async function withProgress<T>(log: Log, what: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const seconds = (): string => `${Math.round((performance.now() - began) / 1000)} s`;
  const first = setTimeout(() => log(`${what} …`), QUIET_MS);
  const repeat = setInterval(() => log(`${what} … ${seconds()}`), REPEAT_MS);
  try {
    const result = await work();
    if (performance.now() - began > QUIET_MS) log(`${what}: done in ${seconds()}`);
    return result;
  } finally {
    clearTimeout(first);
    clearInterval(repeat);
  }
}
