import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '@stechuhr/local-infra';
import { waitFor } from '@stechuhr/testing';
import type { ClusterProvider } from '../cluster/provider.js';

/** As much of a Kubernetes object as a scenario looks at. */
export interface KubernetesObject {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
  };
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as many shapes as there are kinds
  readonly [field: string]: any;
}

const MINUTES = 60_000;

/** kubectl in one namespace. */
export class Kubernetes {
  constructor(
    private readonly cluster: Pick<ClusterProvider, 'kubectl' | 'env'>,
    readonly namespace: string,
  ) {}

  /** Runs kubectl. @throws with what it said */
  run(args: readonly string[], timeoutMs = 5 * MINUTES): Promise<string> {
    return runCommand(this.cluster.kubectl, ['--namespace', this.namespace, ...args], { env: this.cluster.env, timeoutMs });
  }

  async get(kind: string, name: string): Promise<KubernetesObject> {
    return JSON.parse(await this.run(['get', kind, name, '--output', 'json'])) as KubernetesObject;
  }

  /** All of a kind, or those with a label. */
  async list(kind: string, selector = ''): Promise<readonly KubernetesObject[]> {
    const args = selector === '' ? [] : ['--selector', selector];
    return (JSON.parse(await this.run(['get', kind, ...args, '--output', 'json'])) as { items: KubernetesObject[] }).items;
  }

  /** The same in another namespace. */
  in(namespace: string): Kubernetes {
    return new Kubernetes(this.cluster, namespace);
  }

  /** Waits until the namespace takes pods: they are refused as long as its account does not exist. */
  async ready(): Promise<void> {
    await waitFor(() => this.get('serviceaccount', 'default'), { timeoutMs: 3 * MINUTES });
  }

  /** Creates or changes objects. */
  apply(...objects: readonly object[]): Promise<void> {
    return this.given(['apply'], objects);
  }

  /** The same for objects that do not fit into the annotation in which kubectl otherwise keeps what it has applied. */
  applyServerSide(...objects: readonly object[]): Promise<void> {
    return this.given(['apply', '--server-side'], objects);
  }

  /** Deletes objects, and waits until they are gone. */
  remove(...objects: readonly object[]): Promise<void> {
    return this.given(['delete'], objects);
  }

  /** Runs a program of JavaScript in a container that has nothing but Node; gives what it printed. */
  node(pod: string, script: string, container?: string): Promise<string> {
    const where = container === undefined ? [] : ['--container', container];
    return this.run(['exec', pod, ...where, '--', '/nodejs/bin/node', '--input-type=module', '--eval', script]);
  }

  private async given(command: readonly string[], objects: readonly object[]): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), 'stechuhr-objects-'));
    const file = join(folder, 'objects.json');
    try {
      writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
      await this.run([...command, '--filename', file]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
}
