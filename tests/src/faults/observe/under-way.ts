import { setTimeout as pause } from 'node:timers/promises';
import { streams, subscriptions } from '@stechuhr/contracts';
import { waitFor } from '@stechuhr/testing';
import { eventStreamsOf } from '../servers/jetstream.js';
import { messagesIn, type Servers } from './servers.js';

/**
 * Until then something has moved of whatever waits: an interrupted write of a report is completed when its mark is a minute old, by a sweep that
 * comes once a minute, after a process has started anew.
 */
const STILL_MS = 150_000;
/** However much there is to do: a scenario of minutes leaves thousands of webhooks. */
const QUIET_MS = 900_000;
const LOOK_EVERY_MS = 250;
const QUEUES = [streams.jobs.name, streams.deletions.name, streams.ingest.name];
/** Every webhook that was sent or is to be. */
export const DELIVERIES = 'webhooks.deliveries';
/** Consumers of the services. */
const OWN = new Set(subscriptions.map(({ durable }) => durable));

/** How much of what is to be done is under way. */
export type UnderWay = Readonly<
  Record<'tasks' | 'reports' | 'outbox' | 'queues' | 'events' | 'webhooks', Readonly<Record<string, number>>>
>;

/** Tasks at work, events in outboxes, messages in queues, webhooks, by what they are: each is looked at before what it leads to. */
export async function underWay(servers: Servers): Promise<UnderWay> {
  return { ...(await working(servers)), ...(await waiting(servers)), ...(await unsent(servers)) };
}

/** The same, one line each. */
export async function linesUnderWay(servers: Servers): Promise<readonly string[]> {
  return Object.values(await underWay(servers)).flatMap((counts) =>
    Object.entries(counts).flatMap(([what, count]) => (count > 0 ? [`${String(count)} ${what}`] : [])),
  );
}

/**
 * Waits until nothing is under way any more. What still is when nothing has moved for two and a half minutes is found by what looks for remains.
 *
 * @param signal ends the waiting
 */
export async function quiet(servers: Servers, signal?: AbortSignal): Promise<void> {
  let [last, since] = ['', performance.now()];
  const isOver = async (): Promise<boolean> => {
    const now = (await linesUnderWay(servers)).join();
    if (now !== last) [last, since] = [now, performance.now()];
    if (now === '' || signal?.aborted === true) return true;
    // Looking is work for the servers too.
    await pause(LOOK_EVERY_MS);
    return performance.now() - since > STILL_MS;
  };
  await waitFor(isOver, { timeoutMs: QUIET_MS }).catch(() => undefined);
}

async function working(servers: Servers): Promise<Pick<UnderWay, 'tasks' | 'reports'>> {
  const collections = await servers.collections();
  const tasks = (await collections.get('tasks.tasks')?.countDocuments({ status: { $in: ['created', 'in_progress'] } })) ?? 0;
  // A write of a report that was interrupted is completed after a minute (docs/rules/daily-reports.md#writing-an-entry).
  const marked = (await collections.get('daily_reports.descriptors')?.countDocuments({ 'marks.id': { $gt: '' } })) ?? 0;
  return { reports: { 'daily reports with an interrupted write': marked }, tasks: { 'tasks at work': tasks } };
}

async function waiting(servers: Servers): Promise<Pick<UnderWay, 'outbox' | 'queues'>> {
  const outbox: Record<string, number> = {};
  for (const [name, collection] of await servers.collections()) {
    outbox[`documents of ${name} with unpublished events`] = await collection.countDocuments({ 'outbox.id': { $gt: '' } });
  }
  const queues: Record<string, number> = {};
  for (const queue of QUEUES) queues[`messages in ${queue}`] = await messagesIn(servers, queue);
  return { outbox, queues };
}

async function unsent(servers: Servers): Promise<Pick<UnderWay, 'events' | 'webhooks'>> {
  const events: Record<string, number> = {};
  for (const stream of await eventStreamsOf(servers.manager)) {
    for await (const { name, num_pending, num_ack_pending } of servers.manager.consumers.list(stream)) {
      if (OWN.has(name)) events[`events of ${stream} that ${name} has not handled`] = num_pending + num_ack_pending;
    }
  }
  const deliveries = (await servers.collections()).get(DELIVERIES);
  const pending = (await deliveries?.countDocuments({ state: 'pending' })) ?? 0;
  return { events, webhooks: { 'webhooks that were not delivered': pending } };
}
