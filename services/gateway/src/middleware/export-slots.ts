import { AppError } from '@stechuhr/kernel';
import { countRefusal } from '../metrics.js';

/** The maximum numbers of concurrent exports; 0 disables a limit. */
interface SlotOptions {
  readonly perToken: number;
  readonly perReplica: number;
}

/** The owner of an export. */
interface ExportOwner {
  readonly tokenId: string;
  readonly institutionId: string;
}

/** The slots for synchronous exports of this process. */
export interface ExportSlots {
  /**
   * Takes a slot for an export.
   *
   * @returns a function that releases the slot
   * @throws AppError `rate_limited` if there is none
   */
  enter(owner: ExportOwner): () => void;
}

/**
 * Limits concurrent exports. Each running export holds a socket and, in three processes, streams and buffers for as long as its client
 * wants. The rate limit counts how many exports start; this one counts how many are running. Since an institution can issue itself many
 * tokens, it gets another slot only if at least as many slots are free as it already holds, so that there is always one for others.
 */
export function createExportSlots({ perToken, perReplica }: SlotOptions): ExportSlots {
  const ofTokens = new Counts();
  const ofInstitutions = new Counts();
  let total = 0;
  return {
    enter({ tokenId, institutionId }) {
      if (perToken > 0 && ofTokens.of(tokenId) >= perToken) throw refused(`A token may run ${String(perToken)} exports at a time.`);
      const free = perReplica - total;
      const own = ofInstitutions.of(institutionId);
      if (perReplica > 0 && free <= 0)
        throw refused(`The server runs ${String(perReplica)} exports at a time, and all of these are taken.`);
      if (perReplica > 0 && own > free)
        throw refused(`An institution may run ${String(own)} exports at a time while ${String(free)} places are free for others.`);
      const change = (by: 1 | -1): void => {
        total += by;
        ofTokens.change(tokenId, by);
        ofInstitutions.change(institutionId, by);
      };
      change(1);
      return () => change(-1);
    },
  };
}

/** The number of running exports by key. */
class Counts {
  readonly #running = new Map<string, number>();

  of(key: string): number {
    return this.#running.get(key) ?? 0;
  }

  change(key: string, by: 1 | -1): void {
    const count = this.of(key) + by;
    if (count === 0) this.#running.delete(key);
    else this.#running.set(key, count);
  }
}

function refused(message: string): AppError {
  countRefusal('concurrent_exports');
  return new AppError('rate_limited', message);
}
