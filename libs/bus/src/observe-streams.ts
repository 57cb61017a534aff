import { setTimeout as delay } from 'node:timers/promises';
import type { JetStreamManager } from '@nats-io/jetstream';
import type { ObservableResult } from '@opentelemetry/api';
import { allStreams, byPartitioned, ONE_PARTITION } from '@stechuhr/contracts';
import { readLayouts } from './layout.js';
import { streamFill } from './metrics.js';

/** An unavailable server does not answer for seconds, which must not delay the other metrics. */
const LIMIT_MS = 1_000;

/**
 * Reports how full the streams of the platform are, whenever metrics are read.
 * @param manager undefined while there is no connection
 * @returns stops it
 */
export function observeStreams(manager: () => JetStreamManager | undefined): () => void {
  const observe = async (result: ObservableResult): Promise<void> => {
    const connected = manager();
    if (connected === undefined) return;
    const lookAt = async (stream: string): Promise<void> => {
      const { config, state } = await connected.streams.info(stream);
      // A stream without a limit cannot be full.
      if (config.max_bytes > 0) result.observe(state.bytes / config.max_bytes, { stream });
    };
    const observeAll = async (): Promise<void> => {
      const layouts = await readLayouts(connected).catch(() => byPartitioned(() => ONE_PARTITION));
      await Promise.allSettled(allStreams(layouts).map(lookAt));
    };
    // What the server does not answer is unknown; an old number would be misleading.
    await Promise.race([observeAll(), delay(LIMIT_MS, undefined, { ref: false })]);
  };
  streamFill.addCallback(observe);
  return () => streamFill.removeCallback(observe);
}
