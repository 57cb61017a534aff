import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectBus, connectBusAdmin, type Bus, type BusAdmin } from '@stechuhr/bus';
import { streams } from '@stechuhr/contracts';
import { openTcpGate, testServers, type TestServers } from '@stechuhr/testing';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const STREAM = streams.events.name;
const subjects = ['stechuhr.events.a.records.employee.changed', 'stechuhr.events.b.records.project.changed', 'stechuhr.events.a.x.y.z'];

let servers: TestServers;
let bus: Bus;
let admin: BusAdmin;

beforeAll(async () => {
  servers = await testServers();
  bus = await connectBus({ servers: servers.natsUrl, name: 'test', logger: silent });
  await bus.ensureStreams();
  admin = await connectBusAdmin({ servers: servers.natsUrl, name: 'admin', logger: silent });
  for (const [index, subject] of subjects.entries()) await bus.publish(subject, String(index));
});
afterAll(async () => {
  await admin.close();
  await bus.close();
  await servers.stop();
});

async function read(query: Omit<Parameters<BusAdmin['browse']>[0], 'stream'>, most = Infinity): Promise<string[]> {
  const texts: string[] = [];
  for await (const { subject, payload } of admin.browse({ stream: STREAM, ...query })) {
    texts.push(`${subject} ${Buffer.from(payload).toString()}`);
    if (texts.length === most) break;
  }
  return texts;
}

describe('browse', () => {
  it('reads stored messages in order, each time it is called', async () => {
    for (let time = 0; time < 2; time += 1) expect(await read({})).toEqual(subjects.map((subject, index) => `${subject} ${index}`));
  });

  it('reads only the selected messages', async () => {
    expect(await read({ filterSubjects: ['stechuhr.events.a.>'] })).toEqual([`${subjects[0]} 0`, `${subjects[2]} 2`]);
    const some = ['stechuhr.events.*.x.>', 'stechuhr.events.*.records.project.changed'];
    expect(await read({ filterSubjects: some })).toEqual([`${subjects[1]} 1`, `${subjects[2]} 2`]);
  });

  it('reads large messages to the last one, however slowly', async () => {
    const payload = new Uint8Array(900_000);
    const count = 120;
    for (let sent = 0; sent < count; sent += 15) {
      // The stream keeps sixteen of each subject.
      await Promise.all(Array.from({ length: 15 }, () => bus.publish(`stechuhr.dead.large-${String(sent)}.none.0`, payload)));
    }
    let read = 0;
    for await (const message of admin.browse({ stream: streams.dead.name })) {
      read += 1;
      // Takes as long as parsing it would, in which nothing is read from the connection.
      for (const end = performance.now() + 20; performance.now() < end;) Buffer.from(message.payload).at(0);
    }
    expect(read).toBe(count);
    for (let sequence = 1; sequence <= count; sequence += 1) await admin.remove(streams.dead.name, sequence);
  });

  it('ends also where there is nothing', async () => {
    expect(await read({ filterSubjects: ['stechuhr.events.nobody.>'] })).toEqual([]);
    expect(await read({ since: new Date(Date.now() + 3_600_000) })).toEqual([]);
  });

  it('continues with what comes, until it is stopped', async () => {
    const stopping = new AbortController();
    const following = read({ follow: true, signal: stopping.signal, filterSubjects: ['stechuhr.events.later.>'], since: new Date(0) }, 1);
    await bus.publish('stechuhr.events.later.a.b.c', 'later');
    expect(await following).toEqual(['stechuhr.events.later.a.b.c later']);
    const nothing = read({ follow: true, signal: stopping.signal });
    stopping.abort();
    expect(await nothing).toEqual([]);
  });
});

describe('a message', () => {
  it('is found by its sequence, and removed', async () => {
    const [first] = subjects;
    expect(await admin.message(STREAM, 1)).toMatchObject({ sequence: 1, subject: first, storedAt: expect.any(Date) });
    expect([await admin.remove(STREAM, 1), await admin.remove(STREAM, 1)]).toEqual([true, false]);
    expect([await admin.message(STREAM, 1), await admin.message(STREAM, 999)]).toEqual([undefined, undefined]);
  });
});

describe('a stream', () => {
  it('says how much lies in it', async () => {
    expect(await admin.stream(streams.dead.name)).toMatchObject({ name: streams.dead.name, messages: 0 });
    expect(await admin.stream('NOWHERE')).toBeUndefined();
  });
});

it('is not there without a server', async () => {
  const nobody = connectBusAdmin({ servers: 'nats://user:secret@127.0.0.1:1', name: 'admin', logger: silent });
  await expect(nobody).rejects.toMatchObject({
    code: 'unavailable',
    message: 'NATS does not answer at nats://127.0.0.1:1: connection refused',
  });
});

describe('a server that takes seconds to answer', () => {
  it('is waited for, since commands are not repeated', async () => {
    const gate = await openTcpGate(new URL(servers.natsUrl).host);
    const slow = await connectBusAdmin({ servers: `nats://${gate.address}`, name: 'slow', logger: silent });
    // There and back.
    gate.delay(2_600);
    expect(await slow.stream(STREAM)).toMatchObject({ name: STREAM });
    gate.release();
    await slow.close();
    await gate.stop();
  });
});
