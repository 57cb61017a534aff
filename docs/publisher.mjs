// A publisher of live objects: node docs/publisher.mjs < records.ndjson   (npm install @nats-io/transport-node @nats-io/jetstream)
// A line is a record (docs/records/README.md). What is acknowledged is stored and will be handled; a line that is sent twice changes nothing.
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { jetstream } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';

const { NATS_URL = 'nats://127.0.0.1:4222', NATS_USER, NATS_PASSWORD } = process.env;
// Where NATS has users, ours hears its own inbox only, and sends what is of its institution (nats.publishers, helm/README.md).
const user = NATS_USER && { user: NATS_USER, pass: NATS_PASSWORD, inboxPrefix: `_INBOX_${NATS_USER}` };
const connection = await connect({ servers: NATS_URL, maxReconnectAttempts: -1, ...user });
const client = jetstream(connection);

// By the id of the record: its next change is sent when the one before was acknowledged.
const underWay = new Map();

for await (const line of createInterface({ input: process.stdin })) {
  const { institution_id, kind, id } = JSON.parse(line);
  while (underWay.has(id) || underWay.size >= 128) await Promise.race(underWay.values());
  const sent = send(`stechuhr.ingest.${institution_id}.${kind}`, line);
  underWay.set(
    id,
    sent.finally(() => underWay.delete(id)),
  );
}
await Promise.all(underWay.values());
await connection.drain();

// A server that is away, and a queue that is full, take it later.
async function send(subject, record) {
  for (let pauseMs = 250; ; pauseMs = Math.min(2 * pauseMs, 10_000)) {
    try {
      return await client.publish(subject, record);
    } catch (error) {
      console.error(error.message);
    }
    await setTimeout(pauseMs);
  }
}
