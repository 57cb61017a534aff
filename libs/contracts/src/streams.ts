const DAY_MS = 86_400_000;
const MIB = 1_048_576;

/** A JetStream stream (docs/rules/events.md#streams); libs/bus creates it. */
export interface StreamDefinition {
  readonly name: string;
  readonly subjects: readonly string[];
  /** `limits` keeps messages for `maxAgeMs`; `workqueue` keeps each message until it has been processed. */
  readonly retention: 'limits' | 'workqueue';
  readonly maxAgeMs?: number;
  /** Maximum size. A full work queue rejects new messages; other streams drop the oldest. */
  readonly maxBytes: number;
  /**
   * Maximum number of messages of one subject, which is one kind of message of one institution: so an institution cannot fill the stream.
   */
  readonly maxMessagesPerSubject?: number;
  /**
   * Whether the limit per subject is only set when the stream is created: existing streams contain messages on subjects for which it is too
   * low.
   */
  readonly limitsSubjectsFromTheStart?: boolean;
  /** How long duplicates are recognised by their `Nats-Msg-Id`. */
  readonly duplicateWindowMs: number;
  /**
   * Whether the duplicate window is always set to this value, even if the stream on the server has another one, for example from an earlier
   * version.
   */
  readonly enforcesDuplicateWindow?: boolean;
  /**
   * Whether its sequence orders writes that are stored elsewhere. If such a stream is lost and created again, its sequences have to
   * continue above all previous ones; otherwise its new messages would count as older than the stored records.
   */
  readonly sequenceOrdersWrites?: boolean;
}

/** The streams of the platform. */
export const streams = {
  events: {
    name: 'STECHUHR_EVENTS',
    subjects: ['stechuhr.events.>'],
    retention: 'limits',
    maxAgeMs: 14 * DAY_MS,
    maxBytes: 1_024 * MIB,
    maxMessagesPerSubject: 500_000,
    duplicateWindowMs: 120_000,
  },
  jobs: {
    name: 'STECHUHR_JOBS',
    subjects: ['stechuhr.jobs.>'],
    retention: 'workqueue',
    maxBytes: 256 * MIB,
    maxMessagesPerSubject: 100_000,
    duplicateWindowMs: 600_000,
  },
  // Separate from the jobs: objects that wait for a service which is down must not keep background exports out of their queue.
  handovers: {
    name: 'STECHUHR_HANDOVERS',
    subjects: ['stechuhr.handovers.>'],
    retention: 'workqueue',
    maxBytes: 256 * MIB,
    maxMessagesPerSubject: 100_000,
    duplicateWindowMs: 120_000,
  },
  // Separate from the events, which drop their oldest messages when full: deletions must be kept until they have been processed.
  deletions: {
    name: 'STECHUHR_DELETIONS',
    subjects: ['stechuhr.deletions.>'],
    retention: 'workqueue',
    maxBytes: 128 * MIB,
    maxMessagesPerSubject: 100_000,
    duplicateWindowMs: 120_000,
  },
  ingest: {
    name: 'STECHUHR_INGEST',
    subjects: ['stechuhr.ingest.>'],
    retention: 'workqueue',
    maxBytes: 1_024 * MIB,
    maxMessagesPerSubject: 100_000,
    // The minimum of the server. Message ids are shared by the whole stream, so a publisher that guesses ids could suppress the objects of
    // another one. Deduplication is not needed here, because repeated objects change nothing.
    duplicateWindowMs: 100,
    enforcesDuplicateWindow: true,
    sequenceOrdersWrites: true,
  },
  dead: {
    name: 'STECHUHR_DEAD',
    subjects: ['stechuhr.dead.>'],
    retention: 'limits',
    maxAgeMs: 30 * DAY_MS,
    maxBytes: 256 * MIB,
    // For each institution and origin: 16 letters of 1 MiB, 160 of 100 kB, or over ten thousand of ordinary size; never more than 120 MiB.
    maxMessagesPerSubject: 16,
    limitsSubjectsFromTheStart: true,
    duplicateWindowMs: 120_000,
  },
} as const satisfies Record<string, StreamDefinition>;
