import { DiscardPolicy, RetentionPolicy, StorageType, type StreamConfig } from '@nats-io/jetstream';
import { eventSubject, streams, type EventType } from '@stechuhr/contracts';

/** A way to keep the events of many institutions. */
export interface Layout {
  /** Lines for the configuration of the server. */
  readonly configuration: string;
  readonly streams: readonly Partial<StreamConfig>[];
  /** How many institutions share the events of a million. */
  readonly institutionsPerMillion: number;
  /** Whether each event has a `Nats-Msg-Id`, which the server remembers for two minutes. */
  readonly hasIds: boolean;
  /** The stream that a service takes deletions from, and the subject that it takes. */
  readonly deletions: { readonly stream: string; readonly filterSubject: string };
  /** On which subjects an event is published; the first is that of the event itself. */
  subjectsOf(event: { readonly institutionId: string; readonly type: EventType }, number: number): readonly string[];
}

export const DELETED: EventType = 'records.employee.deleted';
const PARTS = 4;
const GIB = 1024 ** 3;
/** The server sets so much aside, and refuses a stream for which the disk has no room. */
const MAX_BYTES = 8 * GIB;

const eventsStream: Partial<StreamConfig> = {
  name: streams.events.name,
  subjects: [...streams.events.subjects],
  storage: StorageType.File,
  retention: RetentionPolicy.Limits,
  discard: DiscardPolicy.Old,
  max_bytes: MAX_BYTES,
  max_msgs_per_subject: streams.events.maxMessagesPerSubject,
};

const one: Layout = {
  configuration: '',
  streams: [eventsStream],
  institutionsPerMillion: 1_000_000,
  hasIds: false,
  deletions: { stream: streams.events.name, filterSubject: eventSubject('*', DELETED) },
  subjectsOf: ({ institutionId, type }) => [eventSubject(institutionId, type)],
};

/** Streams that each take a part of the institutions. What they store has the subject of the event, whatever it was published on. */
const parts = Array.from({ length: PARTS }, (_, part): Partial<StreamConfig> => {
  const taken = `stechuhr.parts.${String(part)}.>`;
  const name = `${streams.events.name}_${String(part)}`;
  return {
    ...eventsStream,
    name,
    subjects: [taken],
    max_bytes: MAX_BYTES / PARTS,
    subject_transform: { src: taken, dest: 'stechuhr.events.>' },
  };
});

const four: Layout = {
  ...one,
  streams: parts,
  deletions: { ...one.deletions, stream: `${streams.events.name}_0` },
  subjectsOf: (event, number) =>
    one.subjectsOf(event, number).map((subject) => subject.replace('events', `parts.${String(number % PARTS)}`)),
};

/** What is compared, by the name of its variant. */
export const layouts: Readonly<Record<string, Layout>> = {
  'few-subjects': { ...one, institutionsPerMillion: 1_000 },
  'one-stream': one,
  'no-subject-limit': { ...one, streams: [{ ...eventsStream, max_msgs_per_subject: -1 }] },
  'with-ids': { ...one, hasIds: true },
  'four-streams': four,
  'four-mapped': {
    ...four,
    configuration: `mappings = { "stechuhr.events.*.>": "stechuhr.parts.{{partition(${String(PARTS)},1)}}.{{wildcard(1)}}.>" }\n`,
    subjectsOf: (event, number) => one.subjectsOf(event, number),
  },
  'deletions-apart': {
    ...one,
    streams: [
      eventsStream,
      {
        ...eventsStream,
        name: 'DELETIONS',
        subjects: ['stechuhr.deletions.>'],
        max_bytes: GIB,
        retention: RetentionPolicy.Workqueue,
        discard: DiscardPolicy.New,
      },
    ],
    deletions: { stream: 'DELETIONS', filterSubject: 'stechuhr.deletions.*.reviews.employee' },
    subjectsOf: (event, number) => [
      ...one.subjectsOf(event, number),
      ...(event.type === DELETED ? [`stechuhr.deletions.${event.institutionId}.reviews.employee`] : []),
    ],
  },
};
