import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ingestObjects } from '@stechuhr/ingest';
import { newId } from '@stechuhr/kernel';
import { MAX_WAITING_EVENTS } from '@stechuhr/mongo';
import { createLogger } from '@stechuhr/service';
import { buildDeletion, buildInstitution, buildProject, testServers, type TestServers } from '@stechuhr/testing';
import { readConfig } from '../src/config.js';
import { createContext } from '../src/context.js';
import { recordIngest } from '../src/operations/ingest.js';
import { startRecords, type RunningRecords } from './support/running-records.js';

const institution = buildInstitution();
const second = buildInstitution();
const [project, other] = [buildProject({ institution_id: institution.id }), buildProject({ institution_id: institution.id })];

let servers: TestServers;
let records: RunningRecords;
beforeAll(async () => {
  servers = await testServers();
  records = await startRecords({ ...servers, natsUrl: 'nats://127.0.0.1:1' });
  await records.importLines(institution, project, other);
});
afterAll(async () => {
  await records.stop();
  await servers.stop();
});

it('a record with too many unpublished changes rejects further ones; other records accept them, and it can be deleted', async () => {
  const projects = records.database.collection<{ _id: string; outbox: { id: string }[] }>('projects');
  const stored = await projects.findOne({ _id: project.id });
  const waiting = Array.from({ length: MAX_WAITING_EVENTS - 2 }, () => ({ ...stored?.outbox[0], id: newId() }));
  await projects.updateOne({ _id: project.id }, { $push: { outbox: { $each: waiting } } });
  await records.importLines({ ...project, name: 'the last' });
  const change = records.importLines({ ...project, name: 'one too many' });
  await expect(change).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('wait to be published') });
  expect(await projects.findOne({ _id: project.id })).toMatchObject({ name: 'the last', outbox: { length: MAX_WAITING_EVENTS } });
  await records.importLines({ ...other, name: 'another' });
  await records.importLines(buildDeletion({ kind: 'project', institution_id: institution.id, id: project.id }));
  expect((await records.projects({ institutionId: institution.id })).map(({ name }) => name)).toEqual(['another']);
});

it('live objects that are handled together with one for such a record are accepted', async () => {
  await records.importLines(second, other);
  const projects = records.database.collection<{ _id: string; outbox: { id: string }[] }>('projects');
  const waiting = Array.from({ length: MAX_WAITING_EVENTS }, () => ({ id: newId() }));
  await projects.updateOne({ _id: other.id }, { $push: { outbox: { $each: waiting } } });
  const env = { MONGODB_URL: servers.mongodbUrl, NATS_URL: 'nats://127.0.0.1:1', REDIS_URL: servers.redisUrl };
  const context = await createContext(
    readConfig({ ...env, MONGODB_DATABASE: servers.database('records') }),
    createLogger('records', 'fatal'),
  );
  try {
    const take = ingestObjects(recordIngest(context));
    const lines = [
      { ...other, name: 'one too many' },
      buildProject({ institution_id: institution.id }),
      buildProject({ institution_id: second.id }),
    ];
    const objects = lines.map((line) => ({
      institutionId: line.institution_id,
      kind: 'project',
      sequence: 1_000_000,
      json: JSON.stringify(line),
    }));
    const settled = await Promise.allSettled(objects.map((object) => take(object)));
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(settled[0]).toMatchObject({ reason: { code: 'unavailable', isOfRecord: true } });
  } finally {
    await context.close();
  }
});
