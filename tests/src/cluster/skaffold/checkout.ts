import { constants } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { ROOT } from '../root.js';
import type { Values } from '../platform/values.js';

/** Folders that are neither part of an image nor needed for compiling. */
const LEFT_OUT = new Set(['.git', '.cache', '.stechuhr', 'dist-test', 'coverage', 'tests', 'bench', 'docs']);

/** Changes to skaffold.yaml for a run. */
export interface SkaffoldChanges {
  readonly namespace: string;
  /** Local ports by forwarded service. */
  readonly ports: Readonly<Record<string, number>>;
  /** Values in addition to those of the profile. */
  readonly values: Values;
  /** Replaces the command that builds an image; build arguments are appended. */
  readonly build: string | undefined;
}

/** The part of skaffold.yaml that is changed. */
interface Configuration {
  readonly portForward: { resourceName: string; namespace: string; localPort: number }[];
  readonly deploy: { readonly helm: { readonly releases: { namespace: string; valuesFiles: string[] }[] } };
  readonly profiles: { readonly name: string; readonly build?: { readonly artifacts: { readonly custom: { buildCommand: string } }[] } }[];
}

/** A copy of this checkout, including packages and compiled code, in which files can be changed. */
export class Checkout {
  private readonly originals = new Map<string, string>();

  private constructor(readonly folder: string) {}

  static async copied(changes: SkaffoldChanges): Promise<Checkout> {
    const folder = await mkdtemp(join(tmpdir(), 'stechuhr-checkout-'));
    const filter = (from: string): boolean => from === ROOT || !LEFT_OUT.has(basename(from)) || from.includes('node_modules');
    // The compiler uses modification times to detect what it has already compiled.
    const how = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE, filter };
    await cp(ROOT, folder, how);
    const checkout = new Checkout(folder);
    await checkout.configure(changes);
    return checkout;
  }

  /** Replaces a text in a file. @throws Error if the file does not contain it */
  async edit(file: string, find: string, replace: string): Promise<void> {
    const before = await this.read(file);
    if (!before.includes(find)) throw new Error(`${file} no longer says "${find}": change scenarios/skaffold-dev.ts`);
    this.originals.set(file, before);
    await writeFile(join(this.folder, file), before.replace(find, replace));
  }

  /** Restores the original content of a file. */
  async restore(file: string): Promise<void> {
    await writeFile(join(this.folder, file), this.originals.get(file) ?? '');
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  private read(file: string): Promise<string> {
    return readFile(join(this.folder, file), 'utf8');
  }

  private async configure({ namespace, ports, values, build }: SkaffoldChanges): Promise<void> {
    const configuration = parse(await this.read('skaffold.yaml')) as Configuration;
    for (const forward of configuration.portForward) {
      Object.assign(forward, { namespace, localPort: ports[forward.resourceName] ?? forward.localPort });
    }
    for (const release of configuration.deploy.helm.releases) {
      release.namespace = namespace;
      release.valuesFiles.push('values.check.json');
    }
    for (const { custom } of configuration.profiles.flatMap((profile) => profile.build?.artifacts ?? [])) {
      if (build !== undefined) custom.buildCommand = custom.buildCommand.replace(/^node \S+ build/, build);
    }
    await writeFile(join(this.folder, 'values.check.json'), JSON.stringify(values));
    await writeFile(join(this.folder, 'skaffold.yaml'), stringify(configuration, { aliasDuplicateObjects: false }));
  }
}
