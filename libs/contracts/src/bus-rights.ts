import { events } from './events.js';
import {
  allStreams,
  byPartitioned,
  MAPPING_PROBE,
  MOST_PARTITIONS,
  partitionedStreams,
  PROVISIONING_LOCK,
  streamsOf,
  subscriptionsOf,
  type PartitionedStream,
} from './partitions.js';
import { streams, type StreamDefinition } from './streams.js';
import { deadLetterSubjects } from './subjects.js';
import type { Subscription } from './subscriptions.js';

/** The permissions of a NATS user; the server refuses everything else. */
export interface BusRights {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** The user that only creates streams and consumers. */
export const PROVISIONER = 'provisioner';
/** The user of the command line, which shows events and replays dead letters to their original subjects. */
export const OPERATOR = 'toolbox';

/** Rights cover the maximum number of partitions, so that the number can be changed without changing rights. */
const most = byPartitioned(() => ({ partitions: MOST_PARTITIONS, streams: MOST_PARTITIONS }));
const names = allStreams(most);
const subscriptions = subscriptionsOf(most);

/** A service that depends on the order of a stream needs to detect when the stream is replaced by an older copy. */
const ordered = new Set(
  Object.values<StreamDefinition>(streams)
    .filter(({ sequenceOrdersWrites }) => sequenceOrdersWrites)
    .flatMap(({ name }) => streamsOf(name, most)),
);

/** Where a message on `MAPPING_PROBE` arrives if the server adds slots. */
const PROBE_IN_SLOT = partitionedStreams.ingest.slotSubject(MAPPING_PROBE) ?? '';

const infoOf = (stream: string): string => `$JS.API.STREAM.INFO.${stream}`;

/** The inbox for replies, to which no other user may subscribe. */
const inboxOf = (user: string): string[] => [`_INBOX_${user}.>`];

/**
 * Returns all users of the platform with their rights, by name: one user for each service that uses NATS, the provisioner and the operator.
 */
export function busUsers(services: readonly string[]): Readonly<Record<string, BusRights>> {
  return {
    ...Object.fromEntries(services.map((service) => [service, serviceRights(service)])),
    [PROVISIONER]: provisionerRights(),
    [OPERATOR]: operatorRights(),
  };
}

/**
 * Returns the rights of a service: it publishes its own events and jobs, and consumes from its own consumers, which the provisioner
 * creates. The stream of the first partition contains the number of partitions.
 */
function serviceRights(service: string): BusRights {
  const taken = subscriptions.filter((line) => line.service === service);
  const feeds = (queue: string) => subscriptions.filter(({ stream, publishers }) => stream === queue && publishers.includes(service));
  const jobs = feeds(streams.jobs.name);
  const fed = [...jobs, ...feeds(streams.handovers.name), ...feeds(streams.deletions.name)];
  const own = events.some(({ type }) => type.startsWith(`${service}.`)) ? [`stechuhr.events.*.${service}.>`] : [];
  const published = [...own, ...new Set(fed.map(({ filterSubject }) => filterSubject))];
  const inSlots = published.flatMap((subject) => slotPatternOf(subject) ?? []);
  const layouts = Object.values(partitionedStreams).filter(
    (partitioned) =>
      taken.some(({ stream }) => stream === partitioned.stream(1)) || published.some((subject) => hasSlotsOf(partitioned, subject)),
  );
  const dead = new Set([...taken, ...jobs].flatMap(({ deadLetter }) => deadLetterSubjects(deadLetter)));
  const read = new Set([
    ...layouts.map((partitioned) => partitioned.stream(0)),
    ...taken.map(({ stream }) => stream).filter((stream) => ordered.has(stream)),
  ]);
  return {
    publish: [...published, ...inSlots, ...Array.from(read, infoOf), ...dead, ...taken.flatMap(ofConsumer)],
    subscribe: inboxOf(service),
  };
}

/** Whether a service that publishes on this subject adds the slot itself. */
function hasSlotsOf({ slotsAddedBy, slotPattern }: PartitionedStream, subject: string): boolean {
  return slotsAddedBy === 'publishers' && slotPattern(subject) !== undefined;
}

function slotPatternOf(subject: string): string | undefined {
  return Object.values(partitionedStreams)
    .find((partitioned) => hasSlotsOf(partitioned, subject))
    ?.slotPattern(subject);
}

/** Returns the rights for a consumer. */
function ofConsumer({ stream, durable }: Subscription): string[] {
  return [`$JS.API.CONSUMER.INFO.${stream}.${durable}`, `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`, `$JS.ACK.${stream}.${durable}.>`];
}

function provisionerRights(): BusRights {
  const ofStreams = names.flatMap((name) => ['CREATE', 'UPDATE', 'INFO'].map((verb) => `$JS.API.STREAM.${verb}.${name}`));
  const ofConsumers = subscriptions.flatMap(({ stream, durable }) => [
    `$JS.API.CONSUMER.CREATE.${stream}.${durable}.>`,
    `$JS.API.CONSUMER.INFO.${stream}.${durable}`,
    `$JS.API.CONSUMER.DELETE.${stream}.${durable}`,
  ]);
  const lock = `${partitionedStreams.events.stream(0)}.${PROVISIONING_LOCK}`;
  const ofLock = [`$JS.API.CONSUMER.CREATE.${lock}.>`, ...['INFO', 'DELETE'].map((verb) => `$JS.API.CONSUMER.${verb}.${lock}`)];
  // The server checks the right to the subject with the slot if it adds one, otherwise that to the original one.
  const publish = [...ofStreams, ...ofConsumers, ...ofLock, MAPPING_PROBE, PROBE_IN_SLOT];
  return { publish, subscribe: [...inboxOf(PROVISIONER), PROBE_IN_SLOT] };
}

/** Returns the rights of the operator, who reads with temporary consumers and cannot change streams. */
function operatorRights(): BusRights {
  const api = names.flatMap((name) => [
    ...['STREAM.INFO', 'STREAM.MSG.GET', 'STREAM.MSG.DELETE'].map((verb) => `$JS.API.${verb}.${name}`),
    `$JS.API.CONSUMER.CREATE.${name}`,
    `$JS.API.CONSUMER.LIST.${name}`,
    ...['CREATE', 'INFO', 'MSG.NEXT', 'DELETE'].map((verb) => `$JS.API.CONSUMER.${verb}.${name}.>`),
  ]);
  // What the operator publishes for an institution gets its slot from the server, which then checks the right to that subject.
  const published = [...Object.values(streams).flatMap(({ subjects }) => subjects), partitionedStreams.ingest.transform.src];
  return { publish: [...api, ...published], subscribe: [...inboxOf(OPERATOR), PROBE_IN_SLOT] };
}
