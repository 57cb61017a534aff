import { waitFor } from '@stechuhr/testing';
import type { UsedPlatform } from './platform.js';

interface OutboxStatus {
  readonly outboxes: readonly { readonly store: string; readonly documents: number }[];
}

/** How many documents of a store have events that were not published, as `stechuhr outbox status` counts them; of all stores without one. */
export async function waitingIn(platform: Pick<UsedPlatform, 'cli'>, store?: string): Promise<number> {
  const { exitCode, stdout, stderr } = await platform.cli(['outbox', 'status', '--json']);
  if (exitCode !== 0) throw new Error(`Not all services told what waits: ${stderr}`);
  const outboxes = (JSON.parse(stdout) as readonly OutboxStatus[]).flatMap((service) => service.outboxes);
  const counted = outboxes.filter(({ store: name }) => store === undefined || name === store);
  if (counted.length === 0)
    throw new Error(`No service told of the outbox ${store ?? 'of any store'}. They do by their metrics (WITH_TELEMETRY).`);
  return counted.reduce((sum, { documents }) => sum + documents, 0);
}

/** Until every event has been published, those too that a killed process left behind. */
export async function allPublished(platform: Pick<UsedPlatform, 'cli'>): Promise<void> {
  await waitFor(async () => (await waitingIn(platform)) === 0);
}
