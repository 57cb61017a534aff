import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '@stechuhr/local-infra';
import { qualified, toolsAt } from '../cluster/tools.js';
import { packagesOf } from '../images/current.js';

/**
 * Replaces `deploy/image/dev.mjs build SERVICE=…` for skaffold if the engine cannot build images. Builds the same target of the same
 * Dockerfile with podman and copies the image to the engine, which skaffold queries, and to the node, under the name that skaffold will
 * use.
 */
async function main(buildArguments: readonly string[]): Promise<void> {
  const { IMAGE = '', BUILD_CONTEXT = '' } = process.env;
  const args = Object.fromEntries(buildArguments.map((each) => each.split('=')));
  const program = String(args['SERVICE']);
  const tools = toolsAt(process.env);
  const code = join(BUILD_CONTEXT, '.cache/dev', program);
  rmSync(code, { recursive: true, force: true });
  await runCommand(process.execPath, [join(BUILD_CONTEXT, 'deploy/image/prune-service.mjs'), 'code', program, join(code, 'app')]);
  const image = qualified(IMAGE);
  const contexts = { packages: await packagesOf(program), 'dev-code': code };
  const dockerfile = join(BUILD_CONTEXT, 'deploy/Dockerfile');
  await tools.build({ name: image, dockerfile, context: join(BUILD_CONTEXT, 'deploy/image'), target: 'dev', args, contexts });
  await tools.run('engine', [image], 10);
  // The image id of the engine, which differs from that of podman.
  const id = (await runCommand('docker', ['image', 'inspect', '--format', '{{.Id}}', IMAGE], { env: process.env })).trim();
  const byId = image.replace(/:[^:]*$/, id.replace('sha256', ''));
  await tools.run('images/build', ['podman', 'tag', image, byId]);
  await tools.run('images/load', [byId], 10);
}

await main(process.argv.slice(2));
