import { AppError } from '@stechuhr/kernel';
import { connectionOptions, hostsOf, namesUser } from './address.js';
import { provisioningFromEnvironment, streamSettingsFromEnvironment } from './config.js';
import type { BusOptions } from './connect.js';
import { openLink, type Link, type PendingLink } from './link.js';
import { provision } from './provision.js';
import { subscriberConsumers } from './subscriber-consumers.js';

/**
 * Creates or updates the streams and durable consumers of the platform over a separate connection, so that an upgrade can be sure that they exist
 * before a new version starts. Existing streams get the replicas, sizes and ages of the settings. A process whose user may not do so only checks that
 * the server answers.
 * @throws AppError `unavailable` if no server answers; Error if the number of partitions cannot be changed as wanted
 */
export async function prepareBus({
  servers,
  settings = streamSettingsFromEnvironment(),
  provisioning = provisioningFromEnvironment(),
  ...options
}: BusOptions): Promise<void> {
  const link = await openLinkNow({ ...options, servers: provisioning ?? servers });
  try {
    if (provisioning === undefined && namesUser(servers)) return;
    const { refusal } = await provision(link, settings, 'upgrade');
    if (refusal !== undefined) throw refusal;
    await subscriberConsumers(settings.subscribers, options.logger).check(link.manager);
  } finally {
    await link.close();
  }
}

/** Generous, since commands are not repeated: a busy machine must not be taken for a server that does not answer. */
const COMMAND_MS = 20_000;

/**
 * Connects at once or fails, for commands, which do not wait for a server.
 * @throws AppError `unavailable`
 */
export async function openLinkNow({
  servers,
  name,
  logger,
}: Pick<BusOptions, 'servers' | 'name' | 'logger'>): Promise<Link & Pick<PendingLink, 'close'>> {
  const pending = await openLink(connectionOptions(servers, name, COMMAND_MS), logger);
  const link = pending.current();
  if (link !== undefined) return { ...link, close: () => pending.close() };
  await pending.close();
  const cause = pending.failure();
  throw new AppError('unavailable', `NATS does not answer at ${hostsOf(servers)}: ${cause?.message ?? ''}`, { cause });
}
