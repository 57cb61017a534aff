import { DiscardPolicy, RetentionPolicy, StorageType, type StreamConfig } from '@nats-io/jetstream';
import { eventSubject, streams, type EventType } from '@stechuhr/contracts';

/** A layout of streams for the events of many institutions. */
export interface Layout {
  /** Additional lines for the configuration of the server. */
  readonly configuration: string;
  readonly streams: readonly Partial<StreamConfig>[];
  /** Number of institutions per million events of each type. */
  readonly institutionsPerMillion: number;
  /** Whether each event has a `Nats-Msg-Id`, which the server remembers for two minutes. */
  readonly hasIds: boolean;
  /** The stream and subject from which a service consumes deletions. */
  readonly deletions: { readonly stream: string; readonly filterSubject: string };
  /** Returns the subjects on which an event is published; the first is the event's own subject. */
  subjectsOf(event: { readonly institutionId: string; readonly type: EventType }, number: number): readonly string[];
}

export const DELETED: EventType = 'records.employee.deleted';
const PARTS = 4;
const GIB = 1024 ** 3;
/** The server reserves this size, and rejects a stream for which the disk has no space. */
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

/**
 * Streams for disjoint sets of institutions. A subject transform stores events under their own subject, not under the one used for
 * publishing.
 */
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

/** The compared layouts, by the name of the variant. */
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
