import type { BusMessage } from './message.js';

/** What is consumed, and how. */
export interface ConsumeOptions {
  /** Name of the stream, such as `streams.ingest.name`. */
  readonly stream: string;
  /** Of events: whether only those of the first partition are taken, which has all of a version that knows no partitions. */
  readonly firstPartitionOnly?: boolean;
  /** Name of the consumer on the server; replicas of a service share it and its messages. */
  readonly durable: string;
  readonly filterSubject: string;
  /** Messages handled at a time in this process; 1 keeps the order of one replica. */
  readonly concurrency: number;
  /**
   * Messages that may wait in this process for a place, 0 by default. Handlers of milliseconds need some, else asking for messages takes
   * longer than handling them; what takes long should rather wait where a replica can get it. Among those that wait, places are given in
   * turns by institution.
   */
  readonly readAhead?: number;
  /** Messages of one institution handled at a time; as many as `concurrency` by default. */
  readonly perInstitution?: number;
  /**
   * Handles one message; may be called twice with the same one. What it throws decides: `invalid`, `not_found`, `forbidden`, `conflict` go
   * to the dead letters at once; `precondition` ("not yet"), `internal` and anything unknown after `maxAttempts`; `unavailable` is tried
   * for more than a week, and these attempts do not count.
   */
  readonly handler: (message: BusMessage) => Promise<void>;
  /** Origin of the dead letters: `stechuhr.dead.<origin>.<institution_id>.<part>`. */
  readonly deadLetter: string;
  /** Failures in one process until a message becomes a dead letter. */
  readonly maxAttempts: number;
  /** Pause after the first, second, … failure in milliseconds; the last one repeats. 1 s, 5 s, 15 s by default. */
  readonly backoffMs?: readonly number[];
  /** Where the place of a message in the stream decides which of two writes counts. */
  readonly order?: StreamOrder;
}

/** Follows the places of a stream. */
export interface StreamOrder {
  /**
   * Before messages are asked for, also after each loss of the connection: an older copy of the stream may have taken its place.
   *
   * @param look asks the server for the range of now, as often as it is called; other processes go on with the stream meanwhile
   */
  begin(look: () => Promise<StreamRange>): Promise<void>;
  /** A message has arrived; it is handled later. */
  arrived(message: Pick<BusMessage, 'streamSequence' | 'storedAt'>): void;
}

/** The first message that a stream holds, or the next one where it is empty, and the last one that it ever got. */
export interface StreamRange {
  readonly firstSequence: number;
  readonly lastSequence: number;
  /** When the last one was stored. */
  readonly lastStoredAt: Date;
}
