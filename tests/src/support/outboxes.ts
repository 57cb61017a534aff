import { waitFor } from '@stechuhr/testing';
import type { UsedPlatform } from './platform.js';

interface OutboxStatus {
  readonly outboxes: readonly { readonly store: string; readonly documents: number }[];
}

/** Returns the number of documents with unpublished events according to `stechuhr outbox status`, in one store or in all stores. */
export async function waitingIn(platform: Pick<UsedPlatform, 'cli'>, store?: string): Promise<number> {
  const { exitCode, stdout, stderr } = await platform.cli(['outbox', 'status', '--json']);
  if (exitCode !== 0) throw new Error(`Not all services reported waiting events: ${stderr}`);
  const outboxes = (JSON.parse(stdout) as readonly OutboxStatus[]).flatMap((service) => service.outboxes);
  const counted = outboxes.filter(({ store: name }) => store === undefined || name === store);
  if (counted.length === 0)
    throw new Error(`No service reported the outbox ${store ?? 'of any store'}. The number comes from metrics, which need WITH_TELEMETRY.`);
  return counted.reduce((sum, { documents }) => sum + documents, 0);
}

/** Waits until all events have been published, including those of killed processes. */
export async function allPublished(platform: Pick<UsedPlatform, 'cli'>): Promise<void> {
  await waitFor(async () => (await waitingIn(platform)) === 0);
}
