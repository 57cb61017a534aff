import { setTimeout as delay } from 'node:timers/promises';
import { connectBus, type Bus, type BusOptions } from '@stechuhr/bus';

/** A connection that may not be there yet. */
export interface BusConnection {
  current(): Bus | undefined;
  close(): Promise<void>;
}

const RETRY_MS = 2_000;

/** Connects in the background, again and again: exports are answered whether or not NATS is there. */
export function keepConnecting(options: BusOptions): BusConnection {
  const closing = new AbortController();
  let bus: Bus | undefined;
  const connect = async () => {
    while (!closing.signal.aborted && bus === undefined) {
      bus = await connectBus(options).catch((caught: unknown) => {
        options.logger.warn({ err: caught }, 'NATS is away');
        return undefined;
      });
      if (bus === undefined) await delay(RETRY_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  };
  const connecting = connect();
  return {
    current: () => (bus?.isConnected() === true ? bus : undefined),
    async close() {
      closing.abort();
      await connecting;
      await bus?.close();
    },
  };
}
