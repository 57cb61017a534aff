import type { Platform } from './platform.js';
import { RELEASE } from './release.js';

/** Runs a command of the command line in the toolbox pod, like an operator, and returns its JSON output. */
export async function toolbox({ kube }: Pick<Platform, 'kube'>, ...args: readonly string[]): Promise<unknown> {
  const printed = await kube.run(['exec', `deployment/${RELEASE}-toolbox`, '--', '/nodejs/bin/node', 'main.js', ...args, '--json']);
  return JSON.parse(printed);
}
