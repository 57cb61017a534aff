import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '@stechuhr/local-infra';
import { waitFor } from '@stechuhr/testing';
import type { ClusterProvider } from '../cluster/provider.js';

/** The fields of a Kubernetes object that scenarios read. */
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

  /** Runs kubectl. @throws Error with its output if it fails */
  run(args: readonly string[], timeoutMs = 5 * MINUTES): Promise<string> {
    return runCommand(this.cluster.kubectl, ['--namespace', this.namespace, ...args], { env: this.cluster.env, timeoutMs });
  }

  async get(kind: string, name: string): Promise<KubernetesObject> {
    return JSON.parse(await this.run(['get', kind, name, '--output', 'json'])) as KubernetesObject;
  }

  /** Returns all objects of a kind, or those that match a label selector. */
  async list(kind: string, selector = ''): Promise<readonly KubernetesObject[]> {
    const args = selector === '' ? [] : ['--selector', selector];
    return (JSON.parse(await this.run(['get', kind, ...args, '--output', 'json'])) as { items: KubernetesObject[] }).items;
  }

  /** Returns an instance for another namespace. */
  in(namespace: string): Kubernetes {
    return new Kubernetes(this.cluster, namespace);
  }

  /** Waits until pods can be created in the namespace, which requires its default service account. */
  async ready(): Promise<void> {
    await waitFor(() => this.get('serviceaccount', 'default'), { timeoutMs: 3 * MINUTES });
  }

  /** Creates or changes objects. */
  apply(...objects: readonly object[]): Promise<void> {
    return this.given(['apply'], objects);
  }

  /** Applies objects on the server side, for objects that are too large for the annotation of a client-side apply. */
  applyServerSide(...objects: readonly object[]): Promise<void> {
    return this.given(['apply', '--server-side'], objects);
  }

  /** Deletes objects, and waits until they are gone. */
  remove(...objects: readonly object[]): Promise<void> {
    return this.given(['delete'], objects);
  }

  /** Runs a JavaScript program in a container that contains only Node, and returns its output. */
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
