import type { JetStreamManager } from '@nats-io/jetstream';
import type { Logger } from '@stechuhr/kernel';
import { ensureStreams } from './ensure-streams.js';
import type { PendingLink } from './link.js';
import { streamsRestored } from './metrics.js';

/** Makes sure that the streams of the platform exist. */
export interface StreamKeeper {
  /** Creates them or brings their limits up to date; without a connection as soon as there is one. */
  ensure(): Promise<void>;
  /**
   * Says that a stream seems to be missing; creates it again, at most once a second, where this process was asked for the streams before.
   */
  missed(): void;
}

const PAUSE_MS = 1_000;

/** @param replicas copies of each stream; without it existing streams keep theirs */
export function createStreamKeeper(link: PendingLink, logger: Logger, replicas?: number): StreamKeeper {
  let isWanted = false;
  let nextAt = 0;
  const create = (manager: JetStreamManager) => ensureStreams(manager, replicas);
  const restore = async () => {
    const created = await create((await link.established).manager);
    if (created.length === 0) return;
    streamsRestored.add(created.length);
    logger.error({ streams: created }, 'streams were missing and were created again: the server lost its store');
  };
  return {
    async ensure() {
      isWanted = true;
      // A rate is only seen of a counter that began at nothing.
      streamsRestored.add(0);
      const established = link.current();
      if (established !== undefined) return void (await create(established.manager));
      void link.established
        .then(({ manager }) => create(manager))
        .catch((caught: unknown) => logger.error({ err: caught }, 'the streams could not be created'));
    },
    missed() {
      const now = performance.now();
      if (!isWanted || now < nextAt) return;
      nextAt = now + PAUSE_MS;
      void restore().catch((caught: unknown) => logger.warn({ err: caught }, 'the streams could not be looked at'));
    },
  };
}
