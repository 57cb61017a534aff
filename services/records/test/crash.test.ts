import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { recordsV1 } from '@stechuhr/contracts';
import { createGrpcClient, openBidi } from '@stechuhr/service';
import {
  buildEmployee,
  buildInstitution,
  buildWorkday,
  openTcpGate,
  startServiceProcess,
  testServers,
  waitFor,
  watchSubjects,
  type ServiceProcess,
  type SubjectWatch,
  type TestServers,
} from '@stechuhr/testing';
import { callsOf } from './support/running-records.js';

let servers: TestServers;
let watch: SubjectWatch;
let service: ServiceProcess;
let client: recordsV1.RecordsServiceClient;

beforeAll(async () => {
  servers = await testServers();
  watch = await watchSubjects(servers.natsUrl, 'stechuhr.events.>');
});
afterAll(async () => {
  await watch.stop();
  await servers.stop();
});

/** The compiled service in its own process, which can be killed. */
async function start(natsUrl = servers.natsUrl): Promise<void> {
  service = await startServiceProcess({
    main: join(import.meta.dirname, '../dist/main.js'),
    env: {
      MONGODB_URL: servers.mongodbUrl,
      MONGODB_DATABASE: servers.database('records'),
      NATS_URL: natsUrl,
      REDIS_URL: servers.redisUrl,
    },
  });
  client = createGrpcClient(recordsV1.RecordsServiceClient, service.address);
}

async function stop(): Promise<void> {
  client.close();
  await service.stop();
}

function build() {
  const institution = buildInstitution();
  const ids = { institution_id: institution.id };
  const staff = Array.from({ length: 20 }, () => buildEmployee(ids));
  const dates = Array.from({ length: 100 }, (_, day) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10));
  const workdays = staff.flatMap(({ id }) => dates.map((date) => buildWorkday({ ...ids, employee_id: id, date, timespans: [] })));
  return { workdays, lines: [institution, ...staff, ...workdays] };
}

interface Told {
  /** Ids of records. */
  readonly subjects: Set<string>;
  /** Ids of events. */
  readonly events: Set<string>;
}

/** The events that were published about some workdays. */
function told(workdays: readonly { readonly id: string }[]): Told {
  const wanted = new Set(workdays.map(({ id }) => id));
  const events = watch.messages
    .filter(({ subject }) => subject.endsWith('.workday.changed'))
    .map(({ text }) => JSON.parse(text) as { readonly id: string; readonly subject: string })
    .filter(({ subject }) => wanted.has(subject));
  return { subjects: new Set(events.map(({ subject }) => subject)), events: new Set(events.map(({ id }) => id)) };
}

describe('a process that is killed', () => {
  it('loses no event of accepted records', async () => {
    const { workdays, lines } = build();
    const gate = await openTcpGate(new URL(servers.natsUrl).host);
    await start(`nats://${gate.address}`);
    // Some events are published, and for some of those the process does not receive the acknowledgement.
    gate.holdAnswersAfter(2_000);
    const { accepted } = await callsOf(client).importLines(...lines);
    expect(accepted).toMatchObject({ workday: workdays.length });
    await service.kill();
    client.close();
    await gate.stop();
    expect(told(workdays).subjects.size).toBeLessThan(workdays.length);
    await start();
    await waitFor(() => told(workdays).subjects.size === workdays.length);
    await stop();
  });

  it('in the middle of an import keeps what it had accepted, and a repeated import completes the rest', async () => {
    const { workdays, lines } = build();
    await start();
    const call = openBidi(client, client.import);
    const sending = (async () => {
      for (let first = 0; first < lines.length; first += 500) {
        await call.write({ lines: lines.slice(first, first + 500).map((line) => ({ file: '-', line: 1, json: JSON.stringify(line) })) });
      }
    })();
    const reading = (async () => {
      for await (const { event } of call.responses) if (event?.$case === 'progress' && event.value.lines > 900) await service.kill();
    })();
    await expect(Promise.all([sending, reading])).rejects.toMatchObject({ code: 'unavailable' });
    await Promise.allSettled([sending, reading]);
    client.close();
    await start();
    expect(await callsOf(client).importLines(...lines)).toMatchObject({ accepted: { workday: workdays.length }, rejected: [] });
    await waitFor(() => told(workdays).subjects.size === workdays.length);
    // An event may be delivered twice, but each write has exactly one event.
    expect(told(workdays).events.size).toBe(workdays.length);
    await stop();
  });
});
