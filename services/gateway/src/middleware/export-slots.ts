import { AppError } from '@stechuhr/kernel';
import { countRefusal } from '../metrics.js';

/** How many exports run at a time; 0 is off. */
interface SlotOptions {
  readonly perToken: number;
  readonly perReplica: number;
}

/** The places of the synchronous exports that this process passes on. */
export interface ExportSlots {
  /**
   * Takes a place for an export of a token.
   *
   * @returns gives the place back
   * @throws AppError `rate_limited` when there is none
   */
  enter(tokenId: string): () => void;
}

/**
 * Each running export holds a socket, streams in three processes and their buffers, for as long as its client wants: the rate limit counts
 * how many start, this counts how many there are.
 */
export function createExportSlots({ perToken, perReplica }: SlotOptions): ExportSlots {
  const running = new Map<string, number>();
  let total = 0;
  const change = (tokenId: string, by: 1 | -1): void => {
    const count = (running.get(tokenId) ?? 0) + by;
    total += by;
    if (count === 0) running.delete(tokenId);
    else running.set(tokenId, count);
  };
  return {
    enter(tokenId) {
      if (perToken > 0 && (running.get(tokenId) ?? 0) >= perToken) throw refused(`A token may run ${String(perToken)} exports at a time.`);
      if (perReplica > 0 && total >= perReplica)
        throw refused(`The server runs ${String(perReplica)} exports at a time, and all of these are taken.`);
      change(tokenId, 1);
      return () => change(tokenId, -1);
    },
  };
}

function refused(message: string): AppError {
  countRefusal('concurrent_exports');
  return new AppError('rate_limited', message);
}
