import type { Platform } from './platform.js';
import { RELEASE } from './release.js';

/** Runs the command line where operators run it, and gives its answer. */
export async function toolbox({ kube }: Pick<Platform, 'kube'>, ...args: readonly string[]): Promise<unknown> {
  const printed = await kube.run(['exec', `deployment/${RELEASE}-toolbox`, '--', '/nodejs/bin/node', 'main.js', ...args, '--json']);
  return JSON.parse(printed);
}
