// A subscriber that survives restarts, its own and the server's: node docs/subscriber.mjs   (npm install @nats-io/transport-node @nats-io/jetstream)
// What it has acknowledged never comes again; what it had in its hands when it died does, under the same id.
import { setTimeout } from 'node:timers/promises';
import { AckPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';

const { NATS_URL = 'nats://127.0.0.1:4222', INSTITUTION = '*' } = process.env;
const connection = await connect({ servers: NATS_URL, maxReconnectAttempts: -1 });

// The server remembers by this name how far we are.
const durable = 'payroll-mirror';
const manager = await jetstreamManager(connection);
const running = [];

// An installation may spread events over several streams: those of an institution are in one of them. The first says how many there are.
async function followAll() {
  const { metadata } = (await manager.streams.info('STECHUHR_EVENTS')).config;
  for (let n = 0; n < Number(metadata?.['stechuhr.streams'] ?? 1); n += 1) {
    const stream = n === 0 ? 'STECHUHR_EVENTS' : `STECHUHR_EVENTS_${n}`;
    await ensureConsumer(stream);
    running[n] ??= await follow(stream);
  }
}

// Changes nothing where it is there. A server that has lost its streams has lost this too, and would leave us waiting without a word.
async function ensureConsumer(stream) {
  await manager.consumers.add(stream, {
    durable_name: durable,
    ack_policy: AckPolicy.Explicit,
    filter_subjects: ['workday', 'absence'].map((kind) => `stechuhr.events.${INSTITUTION}.records.${kind}.*`),
  });
}

async function follow(stream) {
  // What was asked of a consumer that went is never answered: ask again every five seconds.
  const messages = await (await jetstream(connection).consumers.get(stream, durable)).consume({ expires: 5_000 });
  return { messages, ended: handleAll(messages) };
}

async function handleAll(messages) {
  for await (const message of messages) {
    const event = message.json();
    // Do the work here, keyed by event.id: after a crash the same event comes once more. A mirror reads again what has changed, from
    // /timestamps/workdays/ or /timestamps/absence/; a record that moved has left other days, too. Events of earlier versions name no days.
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
