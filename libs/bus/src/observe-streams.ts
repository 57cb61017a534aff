import { setTimeout as delay } from 'node:timers/promises';
import type { JetStreamManager } from '@nats-io/jetstream';
import type { ObservableResult } from '@opentelemetry/api';
import { allStreams, ONE_PARTITION } from '@stechuhr/contracts';
import { readEventLayout } from './event-layout.js';
import { streamFill } from './metrics.js';

/** An unavailable server does not answer for seconds; the other metrics do not wait for it. */
const LIMIT_MS = 1_000;

/**
 * Reports how full the streams of the platform are whenever metrics are read, until the returned function is called.
 *
 * @param manager undefined while there is no connection
 */
export function observeStreams(manager: () => JetStreamManager | undefined): () => void {
  const observe = async (result: ObservableResult): Promise<void> => {
    const connected = manager();
    if (connected === undefined) return;
    const lookAt = async (stream: string): Promise<void> => {
      const { config, state } = await connected.streams.info(stream);
      // Without a limit there is nothing to be full.
      if (config.max_bytes > 0) result.observe(state.bytes / config.max_bytes, { stream });
    };
    const lookAtAll = async (): Promise<void> => {
      const layout = await readEventLayout(connected).catch(() => ONE_PARTITION);
      await Promise.allSettled(allStreams(layout).map(lookAt));
    };
    // What the server does not say is unknown; an old number would be worse than none.
    await Promise.race([lookAtAll(), delay(LIMIT_MS, undefined, { ref: false })]);
  };
  streamFill.addCallback(observe);
  return () => streamFill.removeCallback(observe);
}
