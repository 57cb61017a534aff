import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectBus, type Bus } from '@stechuhr/bus';
import { ingestSubject } from '@stechuhr/contracts';
import type { ReferenceLookup } from '@stechuhr/ingest';
import { newId } from '@stechuhr/kernel';
import { connectMongo } from '@stechuhr/mongo';
import { createLogger } from '@stechuhr/service';
import { buildEmployee, buildInstitution, buildWorkday, waitFor, watchSubjects, type SubjectWatch } from '@stechuhr/testing';
import { removeSettings } from '../src/operations/forget-deleted.js';
import { settingsIngest } from '../src/operations/settings-ingest.js';
import { createSettingsStore, settingsModel } from '../src/store/settings-store.js';
import { callerOf, startReviews, type RunningReviews } from './support/running-reviews.js';

const institution = buildInstitution();
const ids = { institution_id: institution.id };
const employee = buildEmployee(ids);

let running: RunningReviews;
let bus: Bus;
let dead: SubjectWatch;

beforeAll(async () => {
  running = await startReviews();
  bus = await connectBus({ servers: running.servers.natsUrl, name: 'test', logger: createLogger('test', 'fatal') });
  dead = await watchSubjects(running.servers.natsUrl, 'stechuhr.dead.>');
  const workday = buildWorkday({ ...ids, employee_id: employee.id, date: '2026-05-04', ended_at: '2026-05-04T19:00:00', timespans: [] });
  await running.importLines([institution, employee, workday]);
});
afterAll(async () => {
  await dead.stop();
  await bus.close();
  await running.stop();
});

const settings = (fields: object = {}, institution_id = institution.id) => ({ kind: 'review_settings', institution_id, ...fields });
const checksOf = async (institutionId = institution.id) =>
  (await running.as(callerOf(institutionId)).checks()).map(({ value, config }) => [
    value,
    Object.fromEntries(config.map(({ name, value: set }) => [name, set?.value])),
  ]);
const codes = async () => (await running.as(callerOf(institution.id)).review(2026, 5)).map(({ code }) => code);

describe('settings', () => {
  it('of an organization determine the active checks and their options', async () => {
    expect(await checksOf()).toHaveLength(14);
    expect(await codes()).toEqual(['excessive-daily-hours', 'insufficient-break']);
    const line = settings({
      checks: ['insufficient-break', 'excessive-daily-hours'],
      options: { 'excessive-daily-hours': { max_hours: 11.5 }, 'future-workday': { tolerance_seconds: 0 } },
    });
    expect(await running.importSettings([line, line])).toEqual({ accepted: { review_settings: 2 }, rejected: [] });
    expect(await checksOf()).toEqual([
      ['insufficient-break', {}],
      ['excessive-daily-hours', { max_hours: 11.5 }],
    ]);
    expect(await codes()).toEqual(['insufficient-break']);
    expect(await checksOf(newId())).toHaveLength(14);
  });

  it('can disable all checks and can be reset', async () => {
    await running.importSettings([settings({ checks: [] })]);
    expect([await checksOf(), await codes()]).toEqual([[], []]);
    await running.importSettings([settings({ checks: [] }), settings({ deleted: true })]);
    expect(await checksOf()).toHaveLength(14);
    expect(await running.importSettings([settings({ deleted: true }), settings({ deleted: true }, newId())])).toEqual({
      accepted: { review_settings: 2 },
      rejected: [],
    });
  });

  it('are imported line by line, each with its result', async () => {
    const missing = newId();
    const lines = [
      settings({ checks: ['nonsense'] }),
      settings({}, missing),
      settings({ options: { 'future-workday': { hours: 1 } } }),
      { kind: 'review_settings' },
      { kind: 'review_settings', institution_id: 'x' },
      settings({ deleted: 'yes' }),
      { kind: 'workday', institution_id: institution.id },
      settings(),
    ];
    expect(await running.importSettings(lines)).toEqual({
      accepted: { review_settings: 1 },
      rejected: [
        '1 review_settings: checks[0] names an unknown check: nonsense.',
        '3 review_settings: options.future-workday names an unknown option: hours.',
        '4 review_settings: institution_id is required.',
        '5 review_settings: institution_id must be a UUID.',
        '6 review_settings: deleted must be true or false.',
        '7 workday: kind workday is not taken by the reviews service.',
        `2 review_settings: institution_id names no institution: ${missing}.`,
      ],
    });
  });
});

describe('live settings', () => {
  const publish = (line: object, institutionId = institution.id) =>
    bus.publish(ingestSubject(institutionId, 'review_settings'), JSON.stringify(line));
  const countsTo = (count: number) => waitFor(async () => (await checksOf()).length === count || undefined);

  it('take effect in the order in which they were published', async () => {
    await publish(settings({ checks: ['future-workday', 'unfiled-absence'] }));
    await publish(settings({ checks: ['future-workday'] }));
    await countsTo(1);
    await publish(settings({ deleted: true }));
    await countsTo(14);
  });

  it('wait for their institution, and become a dead letter if it never arrives', async () => {
    const [soon, never] = [buildInstitution(), buildInstitution()];
    await publish(settings({ checks: [] }, soon.id), soon.id);
    await running.importLines([soon]);
    await waitFor(async () => (await checksOf(soon.id)).length === 0 || undefined);
    const known = dead.messages.length;
    await publish(settings({ checks: [] }, never.id), never.id);
    const letter = await waitFor(() => dead.messages[known]);
    expect(letter.subject).toMatch(new RegExp(`^stechuhr\\.dead\\.ingest\\.${never.id}\\.\\d+$`));
    expect(JSON.parse(letter.text)).toMatchObject({
      subject: ingestSubject(never.id, 'review_settings'),
      reason: `institution_id names no institution: ${never.id}.`,
      deliveries: 4,
      payload: JSON.stringify(settings({ checks: [] }, never.id)),
    });
  });

  it.each([
    ['that are wrong', settings({ checks: 'all' }), 'checks must be a list of check codes.'],
    ['of another institution than the subject', settings({}, newId()), 'institution_id is not that of the subject.'],
    ['of another kind', { ...settings(), kind: 'workday' }, 'kind workday is not taken by the reviews service.'],
  ])('%s become a dead letter at once', async (_, line, reason) => {
    const known = dead.messages.length;
    await publish(line);
    const letter = await waitFor(() => dead.messages[known]);
    expect(JSON.parse(letter.text)).toMatchObject({ reason, deliveries: 1, subject: ingestSubject(institution.id, 'review_settings') });
  });
});

describe('live settings that are delivered again', () => {
  it('do not undo what an import changed meanwhile', async () => {
    const { servers } = running;
    const mongo = await connectMongo({
      url: servers.mongodbUrl,
      database: servers.database(newId()),
      logger: createLogger('test', 'fatal'),
    });
    const stored = createSettingsStore(settingsModel(mongo.connection));
    const tenant = { institutionId: newId() };
    const choosing = (code: string) => ({ checks: [code], options: {} });
    await stored.write(tenant, choosing('future-workday'), 5);
    await stored.write(tenant, choosing('insufficient-break'));
    await stored.write(tenant, choosing('future-workday'), 5);
    expect(await stored.find(tenant)).toEqual(choosing('insufficient-break'));
    await stored.write(tenant, choosing('future-workday'), 6);
    expect(await stored.find(tenant)).toEqual(choosing('future-workday'));
    await mongo.close();
  });
});

describe('settings that are written while their institution is being deleted', () => {
  it('are deleted, too', async () => {
    const { servers } = running;
    const mongo = await connectMongo({
      url: servers.mongodbUrl,
      database: servers.database(newId()),
      logger: createLogger('test', 'fatal'),
    });
    const stored = createSettingsStore(settingsModel(mongo.connection));
    const institutionId = newId();
    let isThere = true;
    const references: ReferenceLookup = { missing: async (named) => (isThere ? [] : named) };
    // The clean-up finds nothing, because the settings are written after it.
    const write: typeof stored.write = async (...asked) => {
      isThere = false;
      await removeSettings({ settings: stored, references }, { institutionId });
      await stored.write(...asked);
    };
    const { judge, apply } = settingsIngest({ settings: { ...stored, write }, references });
    const line = judge(JSON.stringify(settings({ checks: [] }, institutionId)));
    await apply('change' in line ? [line.change] : [], { mayWait: false });
    expect(isThere).toBe(false);
    expect(await stored.lastWrite({ institutionId })).toBeUndefined();
    await mongo.close();
  });
});
