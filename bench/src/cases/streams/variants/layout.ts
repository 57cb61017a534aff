import { createHash, randomUUID } from 'node:crypto';
import { AckPolicy, DeliverPolicy } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import type { EventType } from '@stechuhr/contracts';
import type { Run } from '../../../harness/types.js';
import { DELETED, layouts, type Layout } from '../layouts.js';
import { startMeasuredServer, type Client, type MeasuredServer } from '../measured-server.js';

const TYPES: readonly EventType[] = ['records.workday.changed', 'records.employee.changed', 'tasks.task.finished'];
const PAYLOAD = 'x'.repeat(400);
/** Messages published without waiting for an acknowledgement; a stream drops messages if there are too many. */
const UNACKNOWLEDGED = 4_000;
const DELETION_EVERY = 1_000;
const CONSUMERS = 8;
const LOOK_UPS = 200;

/** Fills the streams, restarts the server, consumes deletions, publishes more events, and measures the recovery after a kill. */
export const run: Run = async ({ size, values }) => {
  const layout = layouts[String(values['layout'])];
  if (layout === undefined) throw new Error(`There is no layout ${String(values['layout'])}.`);
  const server = await startMeasuredServer(layout.configuration);
  try {
    let client = await server.connect();
    for (const stream of layout.streams) await client.manager.streams.add({ name: '', ...stream });
    const institutions = institutionsOf((size * layout.institutionsPerMillion) / 1_000_000);
    const before = server.cpuMs();
    const eventsPerSecond = await publish(client, layout, fill(institutions, size));
    const fillUs = ((server.cpuMs() - before) * 1_000) / (size * TYPES.length);
    const { now: filledMb, peak: peakMb } = server.memory();
    await client.connection.close();
    const restartMs = await server.restart('stop');
    const restartCpuMs = server.cpuMs();
    client = await server.connect();
    const recoveredMb = server.memory().now;
    const deletions = await takeDeletions(client, layout, server);
    const lastMs = await lookUp(client, layout, institutions);
    const beforeMore = server.cpuMs();
    const morePerSecond = await publish(client, layout, more(institutions, Math.ceil(size * 0.3)));
    const moreUs = ((server.cpuMs() - beforeMore) * 1_000) / (size * 0.3);
    const busyMb = server.memory().now;
    await client.connection.close();
    const recoveryMs = await server.restart('kill');
    const recoveryCpuMs = server.cpuMs();
    const killedMb = server.memory().now;
    const rates = { eventsPerSecond, fillUs, morePerSecond, moreUs, lastMs, ...deletions };
    const restarts = { restartMs, restartCpuMs, recoveryMs, recoveryCpuMs };
    return { values: { ...rates, ...restarts, filledMb, peakMb, recoveredMb, busyMb, killedMb } };
  } finally {
    await server.close();
  }
};

const institutionsOf = (count: number): readonly string[] =>
  Array.from({ length: Math.max(1, Math.round(count)) }, (_, number) => {
    const hash = createHash('md5').update(String(number)).digest('hex');
    return hash.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  });

interface Made {
  readonly number: number;
  readonly institutionId: string;
  readonly type: EventType;
}

/** Yields `size` events of each type, spread over the institutions, and some deletions in between. */
function* fill(institutions: readonly string[], size: number): Generator<Made> {
  for (const type of TYPES) {
    for (let at = 0; at < size; at += 1) {
      const number = at % institutions.length;
      const institutionId = institutions[number] ?? '';
      yield { number, institutionId, type };
      if (at % DELETION_EVERY === 0) yield { number, institutionId, type: DELETED };
    }
  }
}

/** Yields events of existing subjects in a different order. */
function* more(institutions: readonly string[], count: number): Generator<Made> {
  for (let at = 0; at < count; at += 1) {
    const number = (at * 7_919) % institutions.length;
    yield { number, institutionId: institutions[number] ?? '', type: TYPES[at % TYPES.length] ?? DELETED };
  }
}

/** Publishes the events. @returns messages per second */
async function publish({ connection, jetstream }: Client, layout: Layout, events: Iterable<Made>): Promise<number> {
  const startedAt = performance.now();
  const waiting = new Map<string, string>();
  let count = 0;
  let unacknowledged = 0;
  for (const event of events) {
    for (const subject of layout.subjectsOf(event, event.number)) {
      count += 1;
      unacknowledged += 1;
      connection.publish(subject, PAYLOAD, layout.hasIds ? { headers: idHeader() } : {});
      waiting.set(streamKey(layout, event.number), layout.subjectsOf(event, event.number)[0] ?? subject);
    }
    if (unacknowledged < UNACKNOWLEDGED) continue;
    unacknowledged = 0;
    await settle(jetstream, waiting);
  }
  await settle(jetstream, waiting);
  return (count * 1_000) / (performance.now() - startedAt);
}

const streamKey = (layout: Layout, number: number): string => String(number % layout.streams.length);

/**
 * Waits until all messages are stored: a stream stores the messages of a connection in order, so one acknowledged message per stream is
 * enough.
 */
async function settle(client: Client['jetstream'], waiting: Map<string, string>): Promise<void> {
  await Promise.all([...waiting.values()].map((subject) => client.publish(subject, PAYLOAD)));
  waiting.clear();
}

function idHeader() {
  const made = headers();
  made.set('Nats-Msg-Id', randomUUID());
  return made;
}

interface Taking {
  readonly createMs: number;
  readonly takeMs: number;
  /** CPU time of the server for creating the consumer and consuming all deletions. */
  readonly takeCpuMs: number;
  readonly taken: number;
}

/** Creates as many consumers of deletions as the platform has; one of them consumes all deletions. */
async function takeDeletions({ manager, jetstream }: Client, layout: Layout, server: MeasuredServer): Promise<Taking> {
  const { stream, filterSubject } = layout.deletions;
  const startedAt = performance.now();
  const cpu = server.cpuMs();
  const add = (name: string, filter: string) =>
    manager.consumers.add(stream, {
      durable_name: name,
      filter_subject: filter,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
    });
  const { num_pending: pending } = await add('taking', filterSubject);
  const createdAt = performance.now();
  const consumer = await jetstream.consumers.get(stream, 'taking');
  let taken = 0;
  while (taken < pending) {
    for await (const message of await consumer.fetch({ max_messages: Math.min(500, pending - taken), expires: 30_000 })) {
      message.ack();
      taken += 1;
    }
  }
  const takenAt = performance.now();
  const takeCpuMs = server.cpuMs() - cpu;
  for (let number = 1; number < CONSUMERS; number += 1)
    await add(`idle-${String(number)}`, filterSubject.replace('employee', `kind${String(number)}`));
  return { createMs: createdAt - startedAt, takeMs: takenAt - createdAt, takeCpuMs, taken };
}

/** Reads the last message of several subjects sequentially. @returns milliseconds per message */
async function lookUp({ manager }: Client, layout: Layout, institutions: readonly string[]): Promise<number> {
  const name = layout.streams[0]?.name ?? '';
  const isInFirst = layout.streams.length > 2;
  const startedAt = performance.now();
  for (let at = 0; at < LOOK_UPS; at += 1) {
    const institutionId = institutions[(at * 7_919 * 4) % institutions.length] ?? '';
    const found = manager.streams.getMessage(name, { last_by_subj: `stechuhr.events.${institutionId}.${TYPES[0] ?? ''}` });
    // The server assigns institutions to partitions differently, so the message may be in another stream.
    await (isInFirst ? found.catch(() => null) : found);
  }
  return (performance.now() - startedAt) / LOOK_UPS;
}
