import { setTimeout as sleep } from 'node:timers/promises';
import { outboxOf } from '@stechuhr/mongo';
import { withDatabase } from '../../platform/stored-months.js';

const POLL_MS = 50;

/** Waits until all events of the months have been published. */
export function untilPublished({ mongodbUrl }: { readonly mongodbUrl: string }): Promise<void> {
  return withDatabase(mongodbUrl, 'records', async ({ connection }) => {
    const outbox = outboxOf(connection.collection('workmonths'));
    while ((await outbox.count()) > 0) await sleep(POLL_MS);
  });
}
