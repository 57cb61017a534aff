import { setTimeout as delay } from 'node:timers/promises';
import type { ObservableResult } from '@opentelemetry/api';
import { allStreams, byPartitioned, ONE_PARTITION, partitionedStreams } from '@stechuhr/contracts';
import type { ProvisioningLink } from './ensure-streams.js';
import { readLayout, readLayouts } from './layout.js';
import { liveObjectsRefused, streamFill } from './metrics.js';
import { addsSlots } from './slot-mapping.js';

/** An unavailable server does not answer for seconds, which must not delay the other metrics. */
const LIMIT_MS = 1_000;

/**
 * Reports how full the streams of the platform are, and whether the server refuses live objects, whenever metrics are read.
 * @param link undefined while there is no connection
 * @returns stops it
 */
export function observeStreams(link: () => ProvisioningLink | undefined): () => void {
  const observing = (look: (connected: ProvisioningLink, result: ObservableResult) => Promise<void>) => {
    return async (result: ObservableResult): Promise<void> => {
      const connected = link();
      // What the server does not answer is unknown; an old number would be misleading.
      if (connected !== undefined) await Promise.race([look(connected, result), delay(LIMIT_MS, undefined, { ref: false })]);
    };
  };
  const [ofFill, ofRefusals] = [observing(observeFill), observing(observeRefusals)];
  streamFill.addCallback(ofFill);
  liveObjectsRefused.addCallback(ofRefusals);
  return () => {
    streamFill.removeCallback(ofFill);
    liveObjectsRefused.removeCallback(ofRefusals);
  };
}

async function observeFill({ manager }: ProvisioningLink, result: ObservableResult): Promise<void> {
  const lookAt = async (stream: string): Promise<void> => {
    const { config, state } = await manager.streams.info(stream);
    // A stream without a limit cannot be full.
    if (config.max_bytes > 0) result.observe(state.bytes / config.max_bytes, { stream });
  };
  const layouts = await readLayouts(manager).catch(() => byPartitioned(() => ONE_PARTITION));
  await Promise.allSettled(allStreams(layouts).map(lookAt));
}

async function observeRefusals(connected: ProvisioningLink, result: ObservableResult): Promise<void> {
  const layout = await readLayout(connected.manager, partitionedStreams.ingest).catch(() => undefined);
  if (layout === undefined) return;
  const isRefused = layout.partitions > 1 && !(await addsSlots(connected));
  result.observe(isRefused ? 1 : 0);
}
