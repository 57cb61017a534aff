// A subscriber that survives restarts, its own and the server's: node docs/subscriber.mjs   (npm install @nats-io/transport-node @nats-io/jetstream)
// What it has acknowledged never comes again; what it had in its hands when it died does, under the same id.
import { AckPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';

const { NATS_URL = 'nats://127.0.0.1:4222', INSTITUTION = '*' } = process.env;
const connection = await connect({ servers: NATS_URL, maxReconnectAttempts: -1 });

// The server remembers by this name how far we are. It is created once, and the same every time.
const durable = 'payroll-mirror';
const manager = await jetstreamManager(connection);
await manager.consumers.add('STECHUHR_EVENTS', {
  durable_name: durable,
  ack_policy: AckPolicy.Explicit,
  filter_subjects: ['workday', 'absence'].map((kind) => `stechuhr.events.${INSTITUTION}.records.${kind}.*`),
});

const consumer = await jetstream(connection).consumers.get('STECHUHR_EVENTS', durable);
const messages = await consumer.consume();
process.once('SIGTERM', () => messages.close());
process.once('SIGINT', () => messages.close());

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
await connection.drain();
