import { readdirSync } from 'node:fs';
import { streams } from '@stechuhr/contracts';
import type { Place } from './api.js';
import { consumersOf, messagesIn, type Servers } from './servers.js';
import { DELIVERIES, workInProgressLines } from './work-in-progress.js';

/** The state of the servers before the first scenario. */
export interface InitialState {
  readonly consumers: readonly string[];
  readonly deadLetters: number;
}

export async function readInitialState(servers: Servers): Promise<InitialState> {
  return { consumers: await consumersOf(servers), deadLetters: await messagesIn(servers, streams.dead.name) };
}

/** Returns the leftovers after all work has been completed, one line each. */
export async function remainsOf(servers: Servers, place: Place, before: InitialState): Promise<readonly string[]> {
  const found = await Promise.all([
    workInProgressLines(servers),
    halfDeleted(servers),
    personalData(servers, place),
    objects(servers),
    consumers(servers, before),
    Promise.resolve(readdirSync(place.stage.temporary).map((name) => `temporary file ${name}`)),
  ]);
  return found.flat();
}

/** Finds deleted documents without waiting events and without a deletion marker: no process would ever remove them. */
async function halfDeleted(servers: Servers): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [name, collection] of await servers.collections()) {
    const count = await collection.countDocuments({ deleted_at: { $ne: null }, marker_until: { $exists: false }, outbox: { $size: 0 } });
    if (count > 0) found.push(`${String(count)} half-deleted documents in ${name}`);
  }
  return found;
}

const NAMES = /Slot\d+xGone\d+/g;
const IDS = /[0-9a-f]{8}-0000-4000-8000-[0-9a-f]{12}/g;

/**
 * Finds documents with the name or id of a deleted employee. Ids are allowed in deletion markers, which detect late duplicates, and in
 * delivered webhooks; both are kept as long as the events.
 */
async function personalData(servers: Servers, { history }: Place): Promise<readonly string[]> {
  const words = new Set(history.deletedPeople.flatMap(({ word, id }) => [word, id]));
  const found: string[] = [];
  for (const [name, collection] of await servers.collections()) {
    for await (const document of collection.find()) {
      const text = JSON.stringify(document);
      const isMarker = 'marker_until' in document || ('until' in document && 'sequence' in document);
      const wanted = isMarker || name === DELIVERIES ? [NAMES] : [NAMES, IDS];
      const matches = wanted.flatMap((pattern) => text.match(pattern) ?? []);
      for (const match of matches) if (words.delete(match)) found.push(`${match}, who was deleted, in ${name}`);
    }
  }
  return found;
}

/** Finds export files that belong to no task. */
async function objects({ s3, bucket, ...servers }: Servers): Promise<readonly string[]> {
  const tasks = (await servers.collections()).get('tasks.tasks');
  const known = new Set<string>();
  for await (const { _id } of tasks?.find({}, { projection: { _id: 1 } }) ?? []) known.add(String(_id));
  const found: string[] = [];
  for await (const { name = '' } of s3.listObjectsV2(bucket, 'exports/', true) as AsyncIterable<{ readonly name?: string }>) {
    const task = name.split('/')[2] ?? '';
    if (!known.has(task)) found.push(`file ${name} of no task`);
  }
  return found;
}

async function consumers(servers: Servers, before: InitialState): Promise<readonly string[]> {
  const now = await consumersOf(servers);
  const letters = (await messagesIn(servers, streams.dead.name)) - before.deadLetters;
  return [
    ...now.filter((name) => !before.consumers.includes(name)).map((name) => `consumer ${name}`),
    ...before.consumers.filter((name) => !now.includes(name)).map((name) => `no consumer ${name} any more`),
    ...(letters > 0 ? [`${String(letters)} dead letters`] : []),
  ];
}
