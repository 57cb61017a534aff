/** The compiled file, because services do not run in Jest. */
const PRELOAD = new URL('../../dist/clock/preload.js', import.meta.url);

/**
 * Returns the environment variables for a service whose clock can be shifted by the milliseconds in the file with its name.
 *
 * @param folder contains the file; without it, the clock is correct
 */
export function clockVariables(folder: string): Readonly<Record<string, string>> {
  return { CLOCK_FOLDER: folder, NODE_OPTIONS: `--import=${PRELOAD.href}` };
}
