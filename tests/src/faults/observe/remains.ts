import { readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { streams, subscriptions } from '@stechuhr/contracts';
import { waitFor } from '@stechuhr/testing';
import type { Place } from './api.js';
import type { Servers } from './servers.js';

/**
 * Until then something has moved of whatever waits: an interrupted write of a report is completed when its mark is a minute old, by a sweep that
 * comes once a minute, after a process has started anew.
 */
const STILL_MS = 150_000;
/** However much there is to do: a scenario of minutes leaves thousands of webhooks. */
const QUIET_MS = 900_000;
const LOOK_EVERY_MS = 250;
const QUEUES = [streams.jobs.name, streams.ingest.name];
const DELIVERIES = 'webhooks.deliveries';
/** Consumers of the services. */
const OWN = new Set(subscriptions.map(({ durable }) => durable));

/** How the servers were before the first scenario. */
export interface Before {
  readonly consumers: readonly string[];
  readonly deadLetters: number;
}

export async function lookBefore(servers: Servers): Promise<Before> {
  return { consumers: await consumersOf(servers), deadLetters: await messagesIn(servers, streams.dead.name) };
}

/** Waits until nothing is under way any more. What still is when nothing has moved for two and a half minutes is found by {@link remainsOf}. */
export async function quiet(servers: Servers): Promise<void> {
  let [last, since] = ['', performance.now()];
  const isOver = async (): Promise<boolean> => {
    const now = (await underWay(servers)).join();
    if (now !== last) [last, since] = [now, performance.now()];
    if (now === '') return true;
    // Looking is work for the servers too.
    await pause(LOOK_EVERY_MS);
    return performance.now() - since > STILL_MS;
  };
  await waitFor(isOver, { timeoutMs: QUIET_MS }).catch(() => undefined);
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

/** Tasks at work, events in outboxes, messages in queues, webhooks: each is looked at before what it leads to. */
async function underWay(servers: Servers): Promise<readonly string[]> {
  return [...(await working(servers)), ...(await waiting(servers)), ...(await unsent(servers))];
}

async function working(servers: Servers): Promise<readonly string[]> {
  const collections = await servers.collections();
  const tasks = (await collections.get('tasks.tasks')?.countDocuments({ status: { $in: ['created', 'in_progress'] } })) ?? 0;
  // A write of a report that was interrupted is completed after a minute (docs/rules/daily-reports.md#writing-an-entry).
  const marked = (await collections.get('daily_reports.descriptors')?.countDocuments({ 'marks.id': { $gt: '' } })) ?? 0;
  return counted({ 'daily reports with an interrupted write': marked, 'tasks at work': tasks });
}

async function waiting(servers: Servers): Promise<readonly string[]> {
  const found: Record<string, number> = {};
  for (const [name, collection] of await servers.collections()) {
    found[`documents of ${name} with unpublished events`] = await collection.countDocuments({ 'outbox.id': { $gt: '' } });
  }
  for (const queue of QUEUES) found[`messages in ${queue}`] = await messagesIn(servers, queue);
  return counted(found);
}

async function unsent(servers: Servers): Promise<readonly string[]> {
  const found: Record<string, number> = {};
  for await (const { name, num_pending, num_ack_pending } of servers.manager.consumers.list(streams.events.name)) {
    if (OWN.has(name)) found[`events that ${name} has not handled`] = num_pending + num_ack_pending;
  }
  const deliveries = (await servers.collections()).get(DELIVERIES);
  found['webhooks that were not delivered'] = (await deliveries?.countDocuments({ state: 'pending' })) ?? 0;
  return counted(found);
}

const counted = (found: Readonly<Record<string, number>>): readonly string[] =>
  Object.entries(found).flatMap(([what, count]) => (count > 0 ? [`${String(count)} ${what}`] : []));

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

/**
 * Documents with the name of somebody who was deleted; with the id too, unless it is a marker, by which late repeats are recognised, or a
 * webhook that was sent: those are kept for as long as the events themselves.
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
