/** Compiled: a service is not started by Jest. */
const PRELOAD = new URL('../../dist/names/preload.js', import.meta.url);

/**
 * The variables of a process for which names that end in `.replicas` have the addresses that the file of that name in the folder holds, one a
 * line; gRPC clients follow it as they follow DNS.
 */
export function nameVariables(folder: string): Readonly<Record<'NAMES_FOLDER' | 'NODE_OPTIONS', string>> {
  return { NAMES_FOLDER: folder, NODE_OPTIONS: `--import=${PRELOAD.href}` };
}
