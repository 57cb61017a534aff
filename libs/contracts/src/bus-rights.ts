import { events } from './events.js';
import { allStreams, eventStream, PROVISIONING_LOCK, MOST_EVENT_PARTITIONS, subscriptionsOf } from './event-partitions.js';
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
const most = { streams: MOST_EVENT_PARTITIONS };
const names = allStreams(most);
const subscriptions = subscriptionsOf(most);

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
  const own = events.some(({ type }) => type.startsWith(`${service}.`))
    ? [`stechuhr.events.*.${service}.>`, `stechuhr.slots.*.*.${service}.>`]
    : [];
  const needsLayout = own.length > 0 || taken.some(({ stream }) => stream === eventStream(1));
  const dead = new Set([...taken, ...jobs].flatMap(({ deadLetter }) => deadLetterSubjects(deadLetter)));
  return {
    publish: [
      ...own,
      ...(needsLayout ? [`$JS.API.STREAM.INFO.${eventStream(0)}`] : []),
      ...fed.map(({ filterSubject }) => filterSubject),
      ...dead,
      ...taken.flatMap(ofConsumer),
    ],
    subscribe: inboxOf(service),
  };
}

/**
 * Returns the rights for a consumer. A service that depends on the order of a stream also needs to detect when the stream is replaced by an
 * older copy.
 */
function ofConsumer({ stream, durable }: Subscription): string[] {
  const isOrdered = Object.values<StreamDefinition>(streams).some(
    ({ name, sequenceOrdersWrites }) => name === stream && sequenceOrdersWrites,
  );
  return [
    ...(isOrdered ? [`$JS.API.STREAM.INFO.${stream}`] : []),
    `$JS.API.CONSUMER.INFO.${stream}.${durable}`,
    `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
    `$JS.ACK.${stream}.${durable}.>`,
  ];
}

function provisionerRights(): BusRights {
  const ofStreams = names.flatMap((name) => ['CREATE', 'UPDATE', 'INFO'].map((verb) => `$JS.API.STREAM.${verb}.${name}`));
  const ofConsumers = subscriptions.flatMap(({ stream, durable }) => [
    `$JS.API.CONSUMER.CREATE.${stream}.${durable}.>`,
    `$JS.API.CONSUMER.INFO.${stream}.${durable}`,
    `$JS.API.CONSUMER.DELETE.${stream}.${durable}`,
  ]);
  const lock = `${eventStream(0)}.${PROVISIONING_LOCK}`;
  const ofLock = [`$JS.API.CONSUMER.CREATE.${lock}.>`, ...['INFO', 'DELETE'].map((verb) => `$JS.API.CONSUMER.${verb}.${lock}`)];
  return { publish: [...ofStreams, ...ofConsumers, ...ofLock], subscribe: inboxOf(PROVISIONER) };
}

/** Returns the rights of the operator, who reads with temporary consumers and cannot change streams. */
function operatorRights(): BusRights {
  const api = names.flatMap((name) => [
    ...['STREAM.INFO', 'STREAM.MSG.GET', 'STREAM.MSG.DELETE'].map((verb) => `$JS.API.${verb}.${name}`),
    `$JS.API.CONSUMER.CREATE.${name}`,
    `$JS.API.CONSUMER.LIST.${name}`,
    ...['CREATE', 'INFO', 'MSG.NEXT', 'DELETE'].map((verb) => `$JS.API.CONSUMER.${verb}.${name}.>`),
  ]);
  return { publish: [...api, ...Object.values(streams).flatMap(({ subjects }) => subjects)], subscribe: inboxOf(OPERATOR) };
}
