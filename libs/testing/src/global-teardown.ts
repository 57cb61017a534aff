import { heardAddressings, removeCommandLog } from './mongo-commands/heard.js';
import { unscoped } from './mongo-commands/judge.js';

/**
 * Stops what the setup of the run started, and checks the MongoDB queries of the services in end-to-end tests.
 * @throws if one of them queried tenant data without an institution
 */
export default async function globalTeardown(): Promise<void> {
  await Promise.all([globalThis.stechuhrShared?.stop(), globalThis.stechuhrMongo?.stop()]);
  const everywhere = unscoped(heardAddressings());
  removeCommandLog();
  if (everywhere.length > 0)
    throw new Error(`Commands that a sharded database sends to every shard (docs/sharding.md):\n${everywhere.join('\n')}`);
}
