/** The compiled file, since services are not started by Jest. */
const PRELOAD = new URL('../../dist/clock/preload.js', import.meta.url);

/**
 * The variables of a service whose clock can be set: it is off by the milliseconds in the file with its name in the folder.
 * @param folder without such a file, the clock is right
 */
export function clockVariables(folder: string): Readonly<Record<string, string>> {
  return { CLOCK_FOLDER: folder, NODE_OPTIONS: `--import=${PRELOAD.href}` };
}
