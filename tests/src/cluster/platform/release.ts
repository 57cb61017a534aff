import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { provideTool, runCommand, type Log } from '@stechuhr/local-infra';
import type { ClusterProvider } from '../cluster/provider.js';
import { ROOT } from '../root.js';
import type { Values } from './values.js';

/** Name of the release, which is the prefix of its objects' names. */
export const RELEASE = 'stechuhr';

const TIMEOUT = '10m';
const TIMEOUT_MS = 12 * 60_000;

/** Manages a Helm release of this checkout's chart in a namespace, like an operator. */
export class Release {
  private constructor(
    private readonly helm: string,
    private readonly folder: string,
    private readonly env: NodeJS.ProcessEnv,
    private readonly namespace: string,
  ) {}

  static async open(cluster: ClusterProvider, namespace: string, log: Log): Promise<Release> {
    const helm = await provideTool('helm', log);
    const folder = await mkdtemp(join(tmpdir(), 'stechuhr-release-'));
    await cp(join(ROOT, 'helm'), folder, { recursive: true });
    const release = new Release(helm, folder, cluster.env, namespace);
    await release.run(['dependency', 'build', join(folder, 'stechuhr')]);
    return release;
  }

  /** Installs the chart and waits until every pod is ready. */
  async install(values: Values): Promise<void> {
    await this.run(['install', ...(await this.with(values)), '--wait', '--timeout', TIMEOUT]);
  }

  /** Upgrades the release and waits until every pod is a new one and ready. */
  async upgrade(values: Values): Promise<void> {
    await this.run(['upgrade', ...(await this.with(values)), '--wait', '--timeout', TIMEOUT]);
  }

  async rollback(revision?: number): Promise<void> {
    const to = revision === undefined ? [] : [String(revision)];
    await this.run(['rollback', RELEASE, ...to, '--wait', '--timeout', TIMEOUT]);
  }

  /** Renders the chart with values, without changing anything. */
  async judge(values: Values): Promise<string> {
    return this.run(['template', ...(await this.with(values))]);
  }

  test(): Promise<string> {
    return this.run(['test', RELEASE, '--logs']);
  }

  async revision(): Promise<{ readonly revision: number; readonly status: string }> {
    const { version, info } = JSON.parse(await this.run(['status', RELEASE, '--output', 'json'])) as {
      version: number;
      info: { status: string };
    };
    return { revision: version, status: info.status };
  }

  uninstall(): Promise<string> {
    return this.run(['uninstall', RELEASE, '--wait', '--timeout', TIMEOUT]);
  }

  close(): Promise<void> {
    return rm(this.folder, { recursive: true });
  }

  private async with(values: Values): Promise<string[]> {
    const file = join(this.folder, 'values.json');
    await writeFile(file, JSON.stringify(values));
    return [RELEASE, join(this.folder, 'stechuhr'), '--values', file];
  }

  private run(args: readonly string[]): Promise<string> {
    return runCommand(this.helm, [...args, '--namespace', this.namespace], { env: this.env, timeoutMs: TIMEOUT_MS });
  }
}
