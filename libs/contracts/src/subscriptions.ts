import { events, type EventType } from './events.js';
import { exportJobSubject } from './jobs.js';
import { streams } from './streams.js';
import { deletionSubject, entitySubject, eventSubject, handedOverKinds, handOverSubject, handOverSubjectAmongJobs } from './subjects.js';

/** A durable consumer of the platform. */
export interface Subscription {
  readonly service: string;
  /** Name of the consumer on the server, unique in its stream; it must never change. */
  readonly durable: string;
  readonly stream: string;
  /**
   * Whether only the first partition has the consumer, because all of its messages come from a version without partitions. Otherwise every
   * partition has it.
   */
  readonly firstPartitionOnly?: boolean;
  readonly filterSubject: string;
  /** Services of the platform that publish its messages. */
  readonly publishers: readonly string[];
  /** Origin of its dead letters: `stechuhr.dead.<origin>.>`. */
  readonly deadLetter: string;
}

const liveKindsOf: Readonly<Record<string, { readonly service: string; readonly durable: string }>> = {
  review_settings: { service: 'reviews', durable: 'reviews-settings' },
  daily_report_form: { service: 'daily-reports', durable: 'daily-reports-forms' },
  daily_report_entry: { service: 'daily-reports', durable: 'daily-reports-entries' },
  daily_report_status: { service: 'daily-reports', durable: 'daily-reports-statuses' },
};

/**
 * Returns the consumers of live objects of a kind that `records` hands over. The second one is for version 0.2, in which `records` hands
 * them over among the jobs; it is kept as long as 0.2 may run beside this version.
 */
function handedOver(kind: string): Subscription[] {
  const owner = liveKindsOf[kind];
  if (owner === undefined) return [];
  const common = { ...owner, publishers: ['records'], deadLetter: 'ingest' };
  return [
    { ...common, stream: streams.handovers.name, filterSubject: handOverSubject('*', kind) },
    { ...common, stream: streams.jobs.name, filterSubject: handOverSubjectAmongJobs('*', kind) },
  ];
}

/**
 * All durable consumers. The provisioned consumers, the permissions on the bus and the scaling of the worker are derived from this table.
 */
export const subscriptions: readonly Subscription[] = [
  {
    service: 'records',
    durable: 'records',
    stream: streams.ingest.name,
    filterSubject: 'stechuhr.ingest.>',
    publishers: [],
    deadLetter: 'ingest',
  },
  {
    service: 'worker',
    durable: 'worker-export',
    stream: streams.jobs.name,
    filterSubject: exportJobSubject,
    publishers: ['tasks'],
    deadLetter: 'export',
  },
  {
    service: 'webhooks',
    durable: 'webhooks-events',
    stream: streams.events.name,
    filterSubject: 'stechuhr.events.>',
    publishers: [...new Set(events.map(({ type }) => type.split('.')[0] ?? ''))],
    deadLetter: 'webhooks',
  },
  ...handedOverKinds.flatMap(handedOver),
  ...events.flatMap(({ type, consumers }) => consumers.flatMap((service) => consumersOfDeletion(service, type))),
  written('absence-rules', 'rule'),
  written('reviews', 'suppression'),
];

/**
 * Returns the consumer with which a service consumes its own events, to check again whether the referenced records exist
 * (docs/rules/records.md#deletions).
 */
function written(service: string, entity: string): Subscription {
  return {
    service,
    durable: `${service}-${entity}-written`,
    stream: streams.events.name,
    filterSubject: entitySubject('*', service, entity),
    publishers: [service],
    deadLetter: service,
  };
}

/**
 * Returns the consumers of deletions. The second one is for version 0.2, in which `records` publishes deletions only as events; it is kept
 * as long as 0.2 may run beside this version. 0.2 has no partitions, so all of its events are in the first one.
 */
function consumersOfDeletion(service: string, type: EventType): Subscription[] {
  const [publisher = '', kind = ''] = type.split('.');
  const common = { service, publishers: [publisher], deadLetter: service };
  const { deletions, events: among } = streams;
  return [
    { ...common, durable: `${service}-${kind}-deletions`, stream: deletions.name, filterSubject: deletionSubject('*', service, kind) },
    {
      ...common,
      durable: `${service}-${kind}-deleted`,
      stream: among.name,
      firstPartitionOnly: true,
      filterSubject: eventSubject('*', type),
    },
  ];
}
