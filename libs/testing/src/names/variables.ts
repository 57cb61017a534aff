/** The compiled file, because services do not run in Jest. */
const PRELOAD = new URL('../../dist/names/preload.js', import.meta.url);

/**
 * Returns the environment variables for a process in which names that end in `.replicas` resolve to the addresses in the file of that name,
 * one per line. gRPC clients notice changes as they do with DNS.
 */
export function nameVariables(folder: string): Readonly<Record<'NAMES_FOLDER' | 'NODE_OPTIONS', string>> {
  return { NAMES_FOLDER: folder, NODE_OPTIONS: `--import=${PRELOAD.href}` };
}
