import { constants } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { ROOT } from '../root.js';
import type { Values } from '../platform/values.js';

/** Neither part of an image, nor needed to compile what is. */
const LEFT_OUT = new Set(['.git', '.cache', '.stechuhr', 'dist-test', 'coverage', 'tests', 'bench', 'docs']);

/** What a run of skaffold has otherwise than skaffold.yaml says. */
export interface Otherwise {
  readonly namespace: string;
  /** Ports of this machine, by the service that is forwarded to them. */
  readonly ports: Readonly<Record<string, number>>;
  /** Beside the values of the profile. */
  readonly values: Values;
  /** Instead of the command that builds an image; the build arguments follow. */
  readonly build: string | undefined;
}

/** As much of skaffold.yaml as is changed. */
interface Configuration {
  readonly portForward: { resourceName: string; namespace: string; localPort: number }[];
  readonly deploy: { readonly helm: { readonly releases: { namespace: string; valuesFiles: string[] }[] } };
  readonly profiles: { readonly name: string; readonly build?: { readonly artifacts: { readonly custom: { buildCommand: string } }[] } }[];
}

/** A copy of this checkout, packages and compiled code included, in which a file can be changed. */
export class Checkout {
  private readonly originals = new Map<string, string>();

  private constructor(readonly folder: string) {}

  static async copied(otherwise: Otherwise): Promise<Checkout> {
    const folder = await mkdtemp(join(tmpdir(), 'stechuhr-checkout-'));
    const filter = (from: string): boolean => from === ROOT || !LEFT_OUT.has(basename(from)) || from.includes('node_modules');
    // Times tell the compiler what it has compiled already.
    const how = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE, filter };
    await cp(ROOT, folder, how);
    const checkout = new Checkout(folder);
    await checkout.configure(otherwise);
    return checkout;
  }

  /** Changes the one place of a file that says something. @throws when none does */
  async edit(file: string, find: string, replace: string): Promise<void> {
    const before = await this.read(file);
    if (!before.includes(find)) throw new Error(`${file} no longer says "${find}": change scenarios/skaffold-dev.ts`);
    this.originals.set(file, before);
    await writeFile(join(this.folder, file), before.replace(find, replace));
  }

  /** Puts back what was changed. */
  async restore(file: string): Promise<void> {
    await writeFile(join(this.folder, file), this.originals.get(file) ?? '');
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  private read(file: string): Promise<string> {
    return readFile(join(this.folder, file), 'utf8');
  }

  private async configure({ namespace, ports, values, build }: Otherwise): Promise<void> {
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
