import { existsSync, globSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { imageArguments, topology } from '@stechuhr/local';
import { runCommand, withProgress, type Log } from '@stechuhr/local-infra';
import type { ClusterProvider } from '../cluster/provider.js';
import { ROOT } from '../root.js';
import { contentOf } from './content.js';

/** The programs with an image: each service and the command line. */
const allPrograms: readonly string[] = [...topology.map(({ name }) => name), 'cli'];

type ImageBuilder = Pick<ClusterProvider, 'has' | 'build'>;

/** Image names by program. */
export type Images = Readonly<Record<string, string>>;

const PLACE = join(ROOT, '.cache/cluster');

/** Files that determine the packages of all images. */
const MANIFESTS = ['.npmrc', 'package-lock.json', 'package.json', '{libs,services}/*/package.json', 'cli/package.json', 'deploy/image/*'];

/**
 * Builds the production images of this checkout. They are named by a hash of their content, so existing images are not built again. The
 * stages `packages` and `code` of the Dockerfile are replaced by folders that the same script creates on this machine.
 */
export async function buildImages(cluster: ImageBuilder, log: Log, programs = allPrograms): Promise<Images> {
  const images: Record<string, string> = {};
  const common = `${contentOf(ROOT, MANIFESTS)}-${contentOf(ROOT, ['deploy/Dockerfile', 'deploy/local/src/topology.ts'])}`;
  const imageOf = async (program: string): Promise<string> => {
    const code = join(PLACE, 'code', program);
    rmSync(code, { recursive: true, force: true });
    await prune('code', program, code);
    const image = `docker.io/stechuhr/${program}:check-${common}-${contentOf(code, ['**/*'])}`;
    if (!(await cluster.has(image))) await withProgress(log, `image of ${program}`, () => build(cluster, { program, code, image }));
    return image;
  };
  const waiting = programs.values();
  // While one image is written, packages of another are installed.
  const lane = async (): Promise<void> => {
    for (const program of waiting) images[program] = await imageOf(program);
  };
  await Promise.all([lane(), lane()]);
  return images;
}

interface Build {
  readonly program: string;
  readonly code: string;
  readonly image: string;
}

async function build(cluster: ImageBuilder, { program, code, image }: Build): Promise<void> {
  await cluster.build({
    name: image,
    dockerfile: join(ROOT, 'deploy/Dockerfile'),
    context: join(ROOT, 'deploy/image'),
    target: 'production',
    args: imageArguments(topology.find(({ name }) => name === program) ?? { name: program }),
    contexts: { packages: await packagesOf(program), code },
  });
}

/** Returns a folder that replaces the stage `packages`. It is kept between runs, because npm takes as long as everything else. */
export async function packagesOf(program: string): Promise<string> {
  const folder = join(PLACE, 'packages', `${program}-${contentOf(ROOT, MANIFESTS)}`);
  if (existsSync(folder)) return folder;
  for (const old of globSync(`packages/${program}-{????????????,draft}`, { cwd: PLACE })) rmSync(join(PLACE, old), { recursive: true });
  const draft = join(PLACE, 'packages', `${program}-draft`);
  await prune('packages', program, draft);
  renameSync(draft, folder);
  return folder;
}

/** Creates the folder that replaces a stage; the content is in `app`, like in the stage. */
async function prune(stage: 'packages' | 'code', program: string, folder: string): Promise<void> {
  await runCommand(process.execPath, [join(ROOT, 'deploy/image/prune-service.mjs'), stage, program, join(folder, 'app')]);
}
