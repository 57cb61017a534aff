import { setTimeout as delay } from 'node:timers/promises';
import { streams } from '@stechuhr/contracts';
import type { PendingLink } from './link.js';

/** How long a request for the time may take, in milliseconds; whoever asks has five seconds for everything. */
const CLOCK_MS = 1_000;

/**
 * Reads the time by the clock of the server that leads the first stream of events, in milliseconds since the epoch. Undefined if it cannot be asked,
 * may not be asked, does not answer within a second, or is older than 2.10.
 */
export async function readEventClock(link: PendingLink): Promise<number | undefined> {
  const manager = link.isConnected() ? link.current()?.manager : undefined;
  const asked = manager?.streams.info(streams.events.name).catch(() => undefined);
  const { ts } = (await Promise.race([asked, delay(CLOCK_MS, undefined, { ref: false })])) ?? {};
  return ts === undefined ? undefined : Date.parse(ts);
}
