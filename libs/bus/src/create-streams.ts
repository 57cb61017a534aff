import { AppError } from '@stechuhr/kernel';
import { replicasFromEnvironment } from './config.js';
import { connectionOptions, type BusOptions } from './connect.js';
import { ensureStreams } from './ensure-streams.js';
import { openLink, type Link, type PendingLink } from './link.js';

/**
 * Creates the streams of the platform, or brings their limits up to date, on a connection for that alone: what runs before a version
 * serves has to know that they exist.
 *
 * @throws AppError `unavailable` when no server answers
 */
export async function createStreams(options: BusOptions): Promise<void> {
  const { manager, close } = await openLinkNow(options);
  await ensureStreams(manager, options.replicas ?? replicasFromEnvironment());
  await close();
}

/** A link that is established or fails: for commands, which do not wait for a server. @throws AppError `unavailable` */
export async function openLinkNow({ servers, name, logger }: BusOptions): Promise<Link & Pick<PendingLink, 'close'>> {
  const pending = await openLink(connectionOptions(servers, name), logger);
  const link = pending.current();
  if (link !== undefined) return { ...link, close: () => pending.close() };
  await pending.close();
  throw new AppError('unavailable', `NATS does not answer at ${hostsOf(servers)}.`);
}

/** Without what is secret in an address. */
function hostsOf(servers: string): string {
  return servers.replaceAll(/[^@/,]*@/gu, '');
}
