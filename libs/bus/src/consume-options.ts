import type { BusMessage } from './message.js';

/** Which messages are consumed, and how. */
export interface ConsumeOptions {
  /** Name of the stream, such as `streams.ingest.name`. */
  readonly stream: string;
  /** Whether only the first partition is consumed, which contains all messages of versions without partitions. */
  readonly firstPartitionOnly?: boolean;
  /** Name of the consumer on the server; replicas of a service share it and its messages. */
  readonly durable: string;
  readonly filterSubject: string;
  /** How many messages this process handles concurrently; 1 preserves their order within one replica. */
  readonly concurrency: number;
  /**
   * How many messages may wait in this process for a handler, 0 by default. Handlers that take milliseconds need some, since fetching messages would
   * otherwise take longer than handling them. Long-running jobs should rather wait on the server, where another replica can fetch them. Waiting
   * messages are handled fairly between institutions.
   */
  readonly readAhead?: number;
  /** How many messages of one institution are handled concurrently; `concurrency` by default. */
  readonly perInstitution?: number;
  /**
   * Handles one message; may be called twice for the same message. Its error decides what happens next: messages with `invalid`, `not_found`,
   * `forbidden` and `conflict` become dead letters at once; with `precondition` ("not yet"), `internal` and unknown errors after `maxAttempts`; with
   * `unavailable` they are retried for more than a week, and these attempts do not count.
   */
  readonly handler: (message: BusMessage) => Promise<void>;
  /** Origin of the dead letters: `stechuhr.dead.<origin>.<institution_id>.<part>`. */
  readonly deadLetter: string;
  /** After how many failures in one process a message becomes a dead letter. */
  readonly maxAttempts: number;
  /** Pauses after the first, second, … failure in milliseconds; the last one repeats. 1 s, 5 s, 15 s by default. */
  readonly backoffMs?: readonly number[];
  /** For consumers for which the stream position decides which of two writes wins. */
  readonly order?: StreamOrder;
}

/** For messages that take some milliseconds each: thousands of one institution leave a quarter of the handlers to others. */
export const inTurns = { concurrency: 8, perInstitution: 6, readAhead: 1_000 } satisfies Partial<ConsumeOptions>;

/** Tracks the positions of a stream, in each of its partitions. */
export interface StreamOrder {
  /**
   * Called before messages of a partition are fetched, and again after each loss of the connection, since it may have been replaced by an older copy.
   * @param stream name of the partition
   * @param readRange reads the current range from the server each time it is called; other processes continue to use the stream meanwhile
   */
  begin(stream: string, readRange: () => Promise<StreamRange>): Promise<void>;
  /** Called when a message has arrived; it is handled later. */
  arrived(message: Pick<BusMessage, 'stream' | 'streamSequence' | 'storedAt'>): void;
}

/** The first message of a stream (or the next one, if it is empty), and the last one that it ever stored. */
export interface StreamRange {
  readonly firstSequence: number;
  readonly lastSequence: number;
  /** When the last message was stored. */
  readonly lastStoredAt: Date;
  /** The first sequence that the stream could assign. */
  readonly initialSequence: number;
  readonly createdAt: Date;
}
