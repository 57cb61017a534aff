import { readdirSync } from 'node:fs';
import { streams } from '@stechuhr/contracts';
import { waitFor } from '@stechuhr/testing';
import type { Place } from './api.js';
import type { Servers } from './servers.js';

/** Until then whatever waits for a retry has been tried again. */
const QUIET_MS = 120_000;
const QUEUES = [streams.jobs.name, streams.ingest.name];

/** How the servers were before the first scenario. */
export interface Before {
  readonly consumers: readonly string[];
  readonly deadLetters: number;
}

export async function lookBefore(servers: Servers): Promise<Before> {
  return { consumers: await consumersOf(servers), deadLetters: await messagesIn(servers, streams.dead.name) };
}

/** Waits until nothing is under way any more. What still is after two minutes is found by {@link remainsOf}. */
export async function quiet(servers: Servers): Promise<void> {
  await waitFor(async () => (await underWay(servers)).length === 0, { timeoutMs: QUIET_MS }).catch(() => undefined);
}

/** What is left behind when all is quiet, one line each. */
export async function remainsOf(servers: Servers, place: Place, before: Before): Promise<readonly string[]> {
  const found = await Promise.all([
    underWay(servers),
    halfDeleted(servers),
    personalData(servers, place),
    objects(servers),
    consumers(servers, before),
    Promise.resolve(readdirSync(place.stage.temporary).map((name) => `temporary file ${name}`)),
  ]);
  return found.flat();
}

/** Events in outboxes, messages in queues, tasks at work. */
async function underWay(servers: Servers): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [name, collection] of await servers.collections()) {
    const waiting = await collection.countDocuments({ 'outbox.id': { $gt: '' } });
    if (waiting > 0) found.push(`${String(waiting)} documents of ${name} with unpublished events`);
  }
  for (const queue of QUEUES) {
    const count = await messagesIn(servers, queue);
    if (count > 0) found.push(`${String(count)} messages in ${queue}`);
  }
  const tasks = (await servers.collections()).get('tasks.tasks');
  // A write of a report that was interrupted is completed after a minute (docs/rules/daily-reports.md#writing-an-entry).
  const marked = (await (await servers.collections()).get('daily_reports.descriptors')?.countDocuments({ 'marks.id': { $gt: '' } })) ?? 0;
  if (marked > 0) found.push(`${String(marked)} daily reports with an interrupted write`);
  const working = (await tasks?.countDocuments({ status: { $in: ['created', 'in_progress'] } })) ?? 0;
  return working === 0 ? found : [...found, `${String(working)} tasks at work`];
}

/** Documents that are deleted, have nothing to tell any more, and no marker: nobody would look for them again. */
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

/** Documents with the name of somebody who was deleted; with the id too, unless it is a marker, by which late repeats are recognised. */
async function personalData(servers: Servers, { history }: Place): Promise<readonly string[]> {
  const words = new Set(history.deletedPeople.flatMap(({ word, id }) => [word, id]));
  const found: string[] = [];
  for (const [name, collection] of await servers.collections()) {
    for await (const document of collection.find()) {
      const text = JSON.stringify(document);
      const isMarker = 'marker_until' in document || ('until' in document && 'sequence' in document);
      const wanted = isMarker ? [NAMES] : [NAMES, IDS];
      const matches = wanted.flatMap((pattern) => text.match(pattern) ?? []);
      for (const match of matches) if (words.delete(match)) found.push(`${match}, who was deleted, in ${name}`);
    }
  }
  return found;
}

/** Files of exports that no task has. */
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

async function consumers(servers: Servers, before: Before): Promise<readonly string[]> {
  const now = await consumersOf(servers);
  const letters = (await messagesIn(servers, streams.dead.name)) - before.deadLetters;
  return [
    ...now.filter((name) => !before.consumers.includes(name)).map((name) => `consumer ${name}`),
    ...before.consumers.filter((name) => !now.includes(name)).map((name) => `no consumer ${name} any more`),
    ...(letters > 0 ? [`${String(letters)} dead letters`] : []),
  ];
}

async function consumersOf({ manager }: Servers): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { name } of Object.values(streams)) {
    for await (const consumer of manager.consumers.list(name)) found.push(`${name} ${consumer.name}`);
  }
  return found;
}

async function messagesIn({ manager }: Servers, stream: string): Promise<number> {
  return (await manager.streams.info(stream)).state.messages;
}
