import { AppError } from '@stechuhr/kernel';
import { countRefusal } from '../metrics.js';

/** How many exports run at a time; 0 is off. */
interface SlotOptions {
  readonly perToken: number;
  readonly perReplica: number;
}

/** Whose export it is. */
interface ExportOwner {
  readonly tokenId: string;
  readonly institutionId: string;
}

/** The places of the synchronous exports that this process passes on. */
export interface ExportSlots {
  /**
   * Takes a place for an export.
   *
   * @returns gives the place back
   * @throws AppError `rate_limited` when there is none
   */
  enter(owner: ExportOwner): () => void;
}

/**
 * Each running export holds a socket, streams in three processes and their buffers, for as long as its client wants: the rate limit counts
 * how many start, this counts how many there are. An institution issues itself as many tokens as it likes, so it gets a place only as long as
 * it has no more of them than are free: there is always one for others.
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

/** How many exports run, by key. */
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
