import { setTimeout as pause } from 'node:timers/promises';
import { streams, subscriptions } from '@stechuhr/contracts';
import { waitFor } from '@stechuhr/testing';
import { eventStreamsOf, partitionsOf } from '../servers/jetstream.js';
import { messagesIn, type Servers } from './servers.js';

/**
 * If nothing has changed for this long, work in progress is considered stuck. The longest wait is an interrupted write of a report: it is
 * completed when its mark is a minute old, by a sweep that runs once a minute, after a process has restarted.
 */
const STILL_MS = 150_000;
/** Time limit for completing all work; a scenario of some minutes leaves thousands of webhooks. */
const QUIET_MS = 900_000;
const POLL_MS = 250;
const QUEUES = [streams.ingest, streams.jobs, streams.handovers, streams.deletions].map(({ name }) => name);
/** The collection with sent and pending webhooks. */
export const DELIVERIES = 'webhooks.deliveries';
/** Names of the services' consumers. */
const OWN = new Set(subscriptions.map(({ durable }) => durable));

/** Amounts of work in progress by kind. */
export type WorkInProgress = Readonly<
  Record<'tasks' | 'reports' | 'outbox' | 'queues' | 'events' | 'webhooks', Readonly<Record<string, number>>>
>;

/** Counts running tasks, events in outboxes, messages in queues, and webhooks. Each is counted before the kind of work that it leads to. */
export async function workInProgress(servers: Servers): Promise<WorkInProgress> {
  return { ...(await working(servers)), ...(await waiting(servers)), ...(await unsent(servers)) };
}

/** Returns the work in progress as text, one line each. */
export async function workInProgressLines(servers: Servers): Promise<readonly string[]> {
  return Object.values(await workInProgress(servers)).flatMap((counts) =>
    Object.entries(counts).flatMap(([what, count]) => (count > 0 ? [`${String(count)} ${what}`] : [])),
  );
}

/**
 * Waits until no work is in progress, or until it has not changed for two and a half minutes; stuck work is then found as leftovers.
 *
 * @param signal aborts waiting
 */
export async function quiet(servers: Servers, signal?: AbortSignal): Promise<void> {
  let [last, since] = ['', performance.now()];
  const isOver = async (): Promise<boolean> => {
    const now = (await workInProgressLines(servers)).join();
    if (now !== last) [last, since] = [now, performance.now()];
    if (now === '' || signal?.aborted === true) return true;
    // Polling is load for the servers too.
    await pause(POLL_MS);
    return performance.now() - since > STILL_MS;
  };
  await waitFor(isOver, { timeoutMs: QUIET_MS }).catch(() => undefined);
}

async function working(servers: Servers): Promise<Pick<WorkInProgress, 'tasks' | 'reports'>> {
  const collections = await servers.collections();
  const tasks = (await collections.get('tasks.tasks')?.countDocuments({ status: { $in: ['created', 'in_progress'] } })) ?? 0;
  // An interrupted write of a report is completed after a minute (docs/rules/daily-reports.md#writing-an-entry).
  const marked = (await collections.get('daily_reports.descriptors')?.countDocuments({ 'marks.id': { $gt: '' } })) ?? 0;
  return { reports: { 'daily reports with an interrupted write': marked }, tasks: { 'tasks at work': tasks } };
}

async function waiting(servers: Servers): Promise<Pick<WorkInProgress, 'outbox' | 'queues'>> {
  const outbox: Record<string, number> = {};
  for (const [name, collection] of await servers.collections()) {
    outbox[`documents of ${name} with unpublished events`] = await collection.countDocuments({ 'outbox.id': { $gt: '' } });
  }
  const queues: Record<string, number> = {};
  for (const queue of QUEUES) {
    for (const stream of await partitionsOf(servers.manager, queue)) queues[`messages in ${stream}`] = await messagesIn(servers, stream);
  }
  return { outbox, queues };
}

async function unsent(servers: Servers): Promise<Pick<WorkInProgress, 'events' | 'webhooks'>> {
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
