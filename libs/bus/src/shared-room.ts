import type { HeldMessages } from './held-messages.js';

/** Share of the free room that one partition may take: the others always find some. */
const SHARE = 3 / 4;

type Held = Pick<HeldMessages, 'size' | 'bytes'>;

/**
 * The room of one consumer for messages that this process holds, which all partitions of its stream share. A partition may hold three times as much
 * as it leaves free (dynamic thresholds, as in the shared buffers of network switches): one with many messages gets most of the room if the others
 * need none, and never all of it.
 */
export class SharedRoom {
  readonly #partitions = new Set<Held>();

  /** @param most number of messages, and bytes of their payloads, that may be held */
  constructor(private readonly most: Held) {}

  /** @returns to be called when the partition holds nothing any more */
  add(partition: Held): () => void {
    this.#partitions.add(partition);
    return () => void this.#partitions.delete(partition);
  }

  /** Returns how much a partition may hold at the moment. */
  of(partition: Held): Held {
    const others = [...this.#partitions].filter((other) => other !== partition);
    if (others.length === 0) return this.most;
    const left = (what: keyof Held): number => this.most[what] - others.reduce((sum, other) => sum + other[what], 0);
    return { size: Math.floor(SHARE * left('size')), bytes: SHARE * left('bytes') };
  }
}
