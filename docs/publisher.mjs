// A publisher of live objects: node docs/publisher.mjs < records.ndjson
// It needs: npm install @nats-io/transport-node @nats-io/jetstream
// Each line is a record (docs/records/README.md). An acknowledged line is stored and will be handled. Sending a line twice changes nothing,
// so after an error the file can be sent again.
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { jetstream } from '@nats-io/jetstream';
import { connect, errors } from '@nats-io/transport-node';

const { NATS_URL = 'nats://127.0.0.1:4222', NATS_USER, NATS_PASSWORD } = process.env;
// If NATS has users, this user may read only its own inbox and send only records of its institution (nats.publishers, helm/README.md).
const user = NATS_USER && { user: NATS_USER, pass: NATS_PASSWORD, inboxPrefix: `_INBOX_${NATS_USER}` };
const connection = await connect({ servers: NATS_URL, maxReconnectAttempts: -1, ...user });
const client = jetstream(connection);

// Messages that are not acknowledged yet, by the id of the record: its next change is sent only when the previous one was acknowledged.
const underWay = new Map();

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === '') continue;
  const { institution_id, kind, id } = JSON.parse(line);
  while (underWay.has(id) || underWay.size >= 128) await Promise.race(underWay.values());
  const sent = send(`stechuhr.ingest.${institution_id}.${kind}`, line).catch((cause) => {
    throw new Error(`The ${kind} ${id} cannot be sent.`, { cause });
  });
  underWay.set(
    id,
    sent.finally(() => underWay.delete(id)),
  );
}
await Promise.all(underWay.values());
await connection.drain();

// Tries again while the server is unavailable or the queue is full. A record that is too large, or that the user may not send, ends the publisher: it would
// be refused each time.
async function send(subject, record) {
  for (let pauseMs = 250; ; pauseMs = Math.min(2 * pauseMs, 10_000)) {
    try {
      return await client.publish(subject, record);
    } catch (error) {
      if ([error, error.cause].some((one) => one instanceof errors.InvalidArgumentError || one instanceof errors.PermissionViolationError))
        throw error;
      console.error(error.message);
    }
    await setTimeout(pauseMs);
  }
}
