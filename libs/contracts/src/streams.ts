const DAY_MS = 86_400_000;
const MIB = 1_048_576;

/** A JetStream stream (docs/rules/events.md#streams); libs/bus creates it. */
export interface StreamDefinition {
  readonly name: string;
  readonly subjects: readonly string[];
  /** `limits` keeps messages for `maxAgeMs`; `workqueue` keeps each message until it was handled. */
  readonly retention: 'limits' | 'workqueue';
  readonly maxAgeMs?: number;
  /** Its maximum size; a full work queue rejects messages, other streams drop their oldest. */
  readonly maxBytes: number;
  /** The same for one subject, that is, for one kind of message of one institution, so that it cannot use up the whole stream. */
  readonly maxMessagesPerSubject?: number;
  /** Whether the limit by subject applies only to newly created streams: existing ones contain messages on subjects for which it is not suitable. */
  readonly limitsSubjectsFromTheStart?: boolean;
  /** For how long a duplicate `Nats-Msg-Id` is detected. */
  readonly duplicateWindowMs: number;
  /** Whether the duplicate window is always that of the catalogue, even if an earlier version has created the stream with another one. */
  readonly enforcesDuplicateWindow?: boolean;
  /**
   * Whether its sequence orders writes that are stored elsewhere. If such a stream is lost and created again, it has to continue above every sequence
   * that was ever used, since its messages would otherwise count as older than what is stored.
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
  // Separate from the events, which are dropped when the stream is full: a deletion is kept until it was handled.
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
    // The minimum of the server: message ids are unique per stream, so a publisher could otherwise have the objects of another one dropped by
    // guessing their ids. Detecting duplicates is not needed, since an equal repetition changes nothing.
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
    // For one institution and origin, 16 letters of 1 MiB, 160 of 100 kB, or more than ten thousand of usual size; never more than 120 MiB.
    maxMessagesPerSubject: 16,
    limitsSubjectsFromTheStart: true,
    duplicateWindowMs: 120_000,
  },
} as const satisfies Record<string, StreamDefinition>;
