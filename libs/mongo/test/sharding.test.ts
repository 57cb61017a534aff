import { createContext, runInContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { sharding, shardingScript } from '../src/index.js';

interface Index {
  readonly name: string;
  readonly key: Readonly<Record<string, number>>;
  readonly partialFilterExpression?: object;
}

/** A fake of mongosh's cluster API; it tests the script, not the server. */
function cluster(indexes: Record<string, Index[]>) {
  const sharded = new Map<string, object>();
  const done: string[] = [];
  const collection = (namespace: string) => ({
    getIndexes() {
      const found = indexes[namespace];
      if (found === undefined)
        throw Object.assign(new Error(`ns does not exist: ${namespace}`), { code: 26, codeName: 'NamespaceNotFound' });
      return found;
    },
    createIndex: (key: object) => done.push(`index ${namespace} ${Object.keys(key).join()}`),
    dropIndex(name: string) {
      indexes[namespace] = (indexes[namespace] ?? []).filter((index) => index.name !== name);
      done.push(`drop ${namespace} ${name}`);
    },
  });
  const globals = {
    db: {
      getSiblingDB: (database: string) => ({
        collections: { findOne: ({ _id }: { _id: string }) => sharded.get(_id) ?? null },
        getCollection: (name: string) => collection(`${database}.${name}`),
      }),
    },
    sh: {
      enableSharding: () => undefined,
      shardCollection(namespace: string, key: object) {
        sharded.set(namespace, key);
        done.push(`shard ${namespace} ${Object.keys(key).join()}`);
      },
    },
    print: () => undefined,
  };
  return { done, sharded, run: () => void runInContext(shardingScript(sharding), createContext({ ...globals }), { timeout: 5_000 }) };
}

describe('the script that shards', () => {
  it('creates shard key indexes, drops replaced ones, shards everything, and does nothing the second time', () => {
    const namespace = 'stechuhr_tasks.tasks';
    const unique: Index = { name: 'i_f', key: { institution_id: 1, fingerprint: 1 }, partialFilterExpression: {} };
    const { done, sharded, run } = cluster({ [namespace]: [{ name: 'fingerprint_1', key: { fingerprint: 1 } }, unique] });
    run();
    expect(done.filter((one) => one.includes(namespace))).toEqual([
      `drop ${namespace} fingerprint_1`,
      `index ${namespace} institution_id`,
      `shard ${namespace} institution_id`,
    ]);
    expect(sharded.size).toBe(Object.values(sharding).flatMap((collections) => Object.keys(collections)).length);
    const before = done.length;
    run();
    expect(done).toHaveLength(before);
  });

  it('creates no index if one begins with the shard key', () => {
    const namespace = 'stechuhr_records.workmonths';
    const { done, run } = cluster({
      [namespace]: [{ name: 'months', key: { institution_id: 1, employee_id: 1, year: 1, month: 1, _id: 1 } }],
    });
    run();
    expect(done.filter((one) => one.includes(namespace))).toEqual([`shard ${namespace} institution_id,employee_id,year,month`]);
  });
});
