import { loggedAddressings, removeCommandLog } from './mongo-commands/command-log.js';
import { unscoped } from './mongo-commands/judge.js';

/**
 * Stops everything that the setup started, and checks the MongoDB commands of the services in the end-to-end tests.
 *
 * @throws if a command accessed documents of tenants without specifying the institution
 */
export default async function globalTeardown(): Promise<void> {
  await Promise.all([globalThis.stechuhrShared?.stop(), globalThis.stechuhrMongo?.stop()]);
  const everywhere = unscoped(loggedAddressings());
  removeCommandLog();
  if (everywhere.length > 0)
    throw new Error(`Commands that a sharded database sends to every shard (docs/sharding.md):\n${everywhere.join('\n')}`);
}
