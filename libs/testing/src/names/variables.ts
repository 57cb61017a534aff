/** The compiled file, since services are not started by Jest. */
const PRELOAD = new URL('../../dist/names/preload.js', import.meta.url);

/**
 * The variables of a process in which names ending in `.replicas` resolve to the addresses in the file with that name in the folder, one per line;
 * gRPC clients follow changes as with DNS.
 */
export function nameVariables(folder: string): Readonly<Record<'NAMES_FOLDER' | 'NODE_OPTIONS', string>> {
  return { NAMES_FOLDER: folder, NODE_OPTIONS: `--import=${PRELOAD.href}` };
}
