// A subscriber that continues after its own restarts and those of the server: node docs/subscriber.mjs
// It needs: npm install @nats-io/transport-node @nats-io/jetstream
// An event may arrive again, with the same id: if the subscriber died before the server had its acknowledgement, if it took longer than the consumer allows
// (30 s by default, waiting for earlier events included), or if it was published twice.
import { setTimeout } from 'node:timers/promises';
import { AckPolicy, JetStreamApiCodes, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';

const { NATS_URL = 'nats://127.0.0.1:4222', NATS_USER, NATS_PASSWORD, INSTITUTION = '*' } = process.env;
// If NATS has users, this user may read only its own inbox, and the platform creates its consumers (nats.subscribers, helm/README.md).
const user = NATS_USER && { user: NATS_USER, pass: NATS_PASSWORD, inboxPrefix: `_INBOX_${NATS_USER}` };
const connection = await connect({ servers: NATS_URL, maxReconnectAttempts: -1, ...user });
const manager = await jetstreamManager(connection, user && { apiPrefix: 'stechuhr.api', checkAPI: false });

// The server stores the position of this subscriber under this name.
const durable = user ? `subscriber-${NATS_USER}` : 'payroll-mirror';
const running = [];

// An installation may distribute the events over several streams: STECHUHR_EVENTS, STECHUHR_EVENTS_1 and so on. All events of an institution are in the
// same stream.
async function followAll() {
  for (let n = 0; ; n += 1) {
    const stream = n === 0 ? 'STECHUHR_EVENTS' : `STECHUHR_EVENTS_${n}`;
    try {
      await ensureConsumer(stream);
    } catch (error) {
      if (n > 0 && [JetStreamApiCodes.StreamNotFound, JetStreamApiCodes.ConsumerNotFound].includes(error.code)) return;
      throw error;
    }
    running[n] ??= await follow(stream);
  }
}

// Changes nothing if the consumer exists. A server that has lost its streams has also lost this consumer; without it, the subscriber would wait forever
// without an error.
async function ensureConsumer(stream) {
  if (user) return manager.consumers.info(stream, durable);
  return manager.consumers.add(stream, {
    durable_name: durable,
    ack_policy: AckPolicy.Explicit,
    filter_subjects: ['workday', 'absence'].map((kind) => `stechuhr.events.${INSTITUTION}.records.${kind}.*`),
  });
}

async function follow(stream) {
  // A request to a consumer that was deleted is never answered, so send a new request every five seconds.
  const messages = await (await manager.jetstream().consumers.get(stream, durable)).consume({ expires: 5_000 });
  return { messages, ended: handleAll(messages) };
}

async function handleAll(messages) {
  for await (const message of messages) {
    const event = message.json();
    // Do the work here, and use event.id to recognise repetitions: the same event may arrive again. To keep a copy, read the changed days
    // again from /timestamps/workdays/ or /timestamps/absence/. If a record was moved, `previous` names its earlier employee and days. Events of earlier
    // versions contain no days.
    const { id, previous, ...place } = event.data;
    for (const { employee_id, date, starts_on = date, ends_on = date } of previous ? [previous, place] : [place]) {
      console.log(event.time, event.type, employee_id, starts_on, ends_on, id);
    }
    message.ack();
  }
}

const stopped = new Promise((resolve) => ['SIGTERM', 'SIGINT'].forEach((signal) => process.once(signal, () => resolve(true))));
do await followAll().catch(console.error);
while ((await Promise.race([stopped, setTimeout(10_000, false, { ref: false })])) === false);
await Promise.all(running.map(({ messages }) => messages.close()));
await Promise.all(running.map(({ ended }) => ended));
await connection.drain();
