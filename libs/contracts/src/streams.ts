const DAY_MS = 86_400_000;
const MIB = 1_048_576;

/** A JetStream stream (docs/rules/events.md#streams); libs/bus creates it. */
export interface StreamDefinition {
  readonly name: string;
  readonly subjects: readonly string[];
  /** `limits` keeps messages for `maxAgeMs`; `workqueue` keeps each until it was handled. */
  readonly retention: 'limits' | 'workqueue';
  readonly maxAgeMs?: number;
  /** What it takes at most; a work queue then refuses what is published, the others drop what is oldest. */
  readonly maxBytes: number;
  /** The same of one subject, which is a kind of message of one institution: it fills no more than its share. */
  readonly maxMessagesPerSubject?: number;
  /** Whether the limit by subject is only given to a stream that is created: an existing one has messages on subjects that it is not made for. */
  readonly limitsSubjectsFromTheStart?: boolean;
  /** How long a repeated `Nats-Msg-Id` is recognised. */
  readonly duplicateWindowMs: number;
  /** Whether the duplicate window is that of the catalogue whatever the stream on the server has, of an earlier version for example. */
  readonly enforcesDuplicateWindow?: boolean;
  /**
   * Whether its sequence orders writes that are stored elsewhere. A stream that was lost and is created again then has to go on above every
   * sequence that was ever handed out, or what it takes from then on counts as older than what is stored.
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
  // Apart from the events, which drop their oldest when they are full: what has to be removed elsewhere stays until that was done.
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
    // As short as a server takes: ids are those of the whole stream, so that a publisher could have the objects of another one dropped whose
    // ids it guesses. Nobody needs them to be recognised, as an equal repeat changes nothing.
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
    // Of one institution and origin 16 letters of 1 MiB, 160 of 100 kB, or over ten thousand of usual size; never more than 120 MiB.
    maxMessagesPerSubject: 16,
    limitsSubjectsFromTheStart: true,
    duplicateWindowMs: 120_000,
  },
} as const satisfies Record<string, StreamDefinition>;
