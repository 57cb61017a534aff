import { jetstream, jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { PROVISIONING_LOCK, streams, type CloudEvent } from '@stechuhr/contracts';
import { connectMongo } from '@stechuhr/mongo';
import { createLogger } from '@stechuhr/service';
import { Client } from 'minio';
import type { TappedEvent } from '../judge.js';
import { eventStreamsOf, partitionsOf } from '../servers/jetstream.js';
import type { Stage } from '../stage.js';

type Mongo = Awaited<ReturnType<typeof connectMongo>>;
type Database = ReturnType<ReturnType<Mongo['connection']['getClient']>['db']>;
type Collection = Awaited<ReturnType<Database['collections']>>[number];

/** Sequence numbers by name of the event stream. */
export type EventPlaces = ReadonlyMap<string, number>;

/** Direct access to the servers, bypassing the platform. */
export interface Servers {
  readonly s3: Client;
  readonly bucket: string;
  readonly manager: JetStreamManager;
  /** Returns all collections of all services by `<service>.<collection>`. */
  collections(): Promise<ReadonlyMap<string, Collection>>;
  /** Returns the last sequence number of each event stream. */
  lastEvents(): Promise<EventPlaces>;
  /**
   * Returns the events after these sequence numbers in the order of each stream, without duplicates; with an empty map all stored events.
   */
  eventsAfter(places: EventPlaces): Promise<readonly TappedEvent[]>;
  close(): Promise<void>;
}

const PREFIX = 'stechuhr_';

export async function openServers({ infra }: Stage): Promise<Servers> {
  const logger = createLogger('campaign', 'silent');
  const [mongo, nats] = await Promise.all([
    connectMongo({ url: infra.mongodbUrl, database: 'admin', appName: 'campaign', logger }),
    connect({ servers: infra.natsUrl.split(','), maxReconnectAttempts: -1 }),
  ]);
  const manager = await jetstreamManager(nats);
  const { endpoint, accessKey, secretKey, bucket } = infra.s3;
  const { hostname, port } = new URL(endpoint);
  return {
    s3: new Client({ endPoint: hostname, port: Number(port), useSSL: false, accessKey, secretKey, region: 'us-east-1' }),
    bucket,
    manager,
    collections: () => collectionsOf(mongo),
    lastEvents: () => lastEvents(manager),
    eventsAfter: async (places) => {
      const names = await eventStreamsOf(manager);
      const found = await Promise.all(names.map((name) => eventsAfter(nats, manager, name, places.get(name) ?? 0)));
      return [...new Map(found.flat().map((event) => [event.id, event])).values()];
    },
    async close() {
      await Promise.all([mongo.close(), nats.close()]);
    },
  };
}

async function collectionsOf({ connection }: Mongo): Promise<ReadonlyMap<string, Collection>> {
  const client = connection.getClient();
  const { databases } = await client.db().admin().listDatabases();
  const own = databases.filter(({ name }) => name.startsWith(PREFIX));
  const found = await Promise.all(
    own.map(async ({ name }) => {
      const collections = await client.db(name).collections();
      return collections.map((collection) => [`${name.slice(PREFIX.length)}.${collection.collectionName}`, collection] as const);
    }),
  );
  return new Map(found.flat());
}

async function lastEvents(manager: JetStreamManager): Promise<EventPlaces> {
  const names = await eventStreamsOf(manager);
  return new Map(await Promise.all(names.map(async (name) => [name, (await manager.streams.info(name)).state.last_seq] as const)));
}

async function eventsAfter(nats: NatsConnection, manager: JetStreamManager, name: string, sequence: number): Promise<TappedEvent[]> {
  const { state } = await manager.streams.info(name);
  if (state.last_seq <= sequence) return [];
  const consumer = await jetstream(nats).consumers.get(name, { opt_start_seq: sequence + 1 });
  const seen = new Map<string, TappedEvent>();
  const messages = await consumer.consume();
  for await (const message of messages) {
    const { id, institutionid: institutionId, type, subject } = message.json<CloudEvent>();
    seen.set(id, { id, institutionId, type: type.replace(/^stechuhr\.|\.v1$/g, ''), subject });
    if (message.seq >= state.last_seq) break;
  }
  await consumer.delete();
  return [...seen.values()];
}

/** Returns all permanent consumers as `<stream> <name>`, without locks of killed processes, which expire. */
export async function consumersOf({ manager }: Servers): Promise<readonly string[]> {
  const found: string[] = [];
  const names = await Promise.all(Object.values(streams).map((stream) => partitionsOf(manager, stream.name)));
  for (const name of names.flat()) {
    for await (const consumer of manager.consumers.list(name)) {
      if (consumer.name !== PROVISIONING_LOCK) found.push(`${name} ${consumer.name}`);
    }
  }
  return found;
}

/** Returns the number of messages in a stream. */
export async function messagesIn({ manager }: Servers, stream: string): Promise<number> {
  return (await manager.streams.info(stream)).state.messages;
}
