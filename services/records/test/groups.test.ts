import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { recordsV1 } from '@stechuhr/contracts';
import { ingestObjects, type LiveObject } from '@stechuhr/ingest';
import { AppError, newId, uuidV5 } from '@stechuhr/kernel';
import { createLogger } from '@stechuhr/service';
import {
  buildDeletion,
  buildEmployee,
  buildInstitution,
  buildWorkday,
  buildWorkmonth,
  testServers,
  type TestServers,
} from '@stechuhr/testing';
import { parseLocalDate } from '@stechuhr/worktime';
import fc from 'fast-check';
import { readConfig } from '../src/config.js';
import { createContext, type Context } from '../src/context.js';
import { recordIngest } from '../src/operations/ingest.js';
import { startRecords, type RunningRecords } from './support/running-records.js';

let servers: TestServers;
let records: RunningRecords;
let context: Context;

beforeAll(async () => {
  servers = await testServers();
  records = await startRecords(servers);
  const env = { MONGODB_URL: servers.mongodbUrl, NATS_URL: servers.natsUrl, REDIS_URL: servers.redisUrl };
  const config = readConfig({ ...env, MONGODB_DATABASE: servers.database('records') });
  context = await createContext(config, createLogger('records', 'fatal'));
});
afterAll(async () => {
  await context.close();
  await records.stop();
  await servers.stop();
});

const MONTHS = ['02', '03', '04'] as const;
const KINDS = ['workday', 'workmonth'] as const;
const NAMES = ['first', 'second', 'third'] as const;

/** The changes, described in the same way for every institution. */
const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('workday', 'workday', 'workmonth'),
    name: fc.constantFrom(...NAMES),
    /** Without a month, the workday is deleted. */
    month: fc.option(fc.constantFrom(...MONTHS), { freq: 4 }),
    note: fc.integer({ min: 0, max: 2 }),
  }),
  { minLength: 8, maxLength: 16 },
);

type Step = typeof steps extends fc.Arbitrary<readonly (infer T)[]> ? T : never;

/** An institution with one employee. */
async function foundFirm() {
  const institution = buildInstitution();
  const employee = buildEmployee({ institution_id: institution.id });
  await records.importLines(institution, employee);
  const ids = { institution_id: institution.id, employee_id: employee.id };
  const idOf = ({ kind, name }: Pick<Step, 'kind' | 'name'>) => uuidV5(institution.id, `${kind} ${name}`);
  const lineOf = (step: Step) => {
    const record = { ...ids, id: idOf(step) };
    if (step.kind === 'workmonth')
      return buildWorkmonth({ ...record, year: 2026, month: Number(step.month ?? 3), opening_balance_minutes: step.note });
    return buildWorkday({ ...record, date: `2026-${step.month ?? '03'}-1${String(step.note)}`, timespans: [] });
  };
  const objectOf = (step: Step, index: number): LiveObject => {
    const line = lineOf(step);
    const json = JSON.stringify(step.month === null ? buildDeletion(line) : line);
    return { institutionId: institution.id, kind: step.kind, sequence: index + 1, json };
  };
  /** Returns the result with names instead of the ids, which differ between institutions. */
  const inWords = (value: unknown) =>
    KINDS.flatMap((kind) => NAMES.map((name): readonly [string, string] => [`${kind} ${name}`, idOf({ kind, name })]))
      .concat(MONTHS.map((month) => [`month ${month}`, uuidV5(institution.id, `${employee.id}/2026-${month}`)]))
      .reduce((text, [name, id]) => text.replaceAll(id, name), JSON.stringify(value));
  const stored = async () => {
    const [fromDay = 0, toDay = 0] = ['2026-02-01', '2026-04-30'].map(parseLocalDate);
    const [found] = await records.timeRecords({ institutionId: institution.id }, { employeeIds: [employee.id], fromDay, toDay });
    const named = JSON.parse(inWords(found?.workmonths ?? [])) as recordsV1.Workmonth[];
    return named.map((month) => ({ ...month, workdays: month.workdays.toSorted((a, b) => (a.id < b.id ? -1 : 1)) }));
  };
  return { objectOf, inWords, stored };
}

const reasonOf = (caught: unknown) => AppError.from(caught).message;

it('live objects in a group have the same effect as one after the other', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const [single, grouped] = [await foundFirm(), await foundFirm()];
      const take = ingestObjects(recordIngest(context));
      const expected: unknown[] = [];
      for (const [index, step] of list.entries()) expected.push(await take(single.objectOf(step, index)).catch(reasonOf));
      const taken = await Promise.all(list.map((step, index) => take(grouped.objectOf(step, index)).catch(reasonOf)));
      expect(grouped.inWords(taken)).toEqual(single.inWords(expected));
      expect(await grouped.stored()).toEqual(await single.stored());
    }),
    { numRuns: 4 },
  );
});

it('an object that cannot be written does not prevent the others of its group from being written', async () => {
  const firm = await foundFirm();
  const take = ingestObjects(recordIngest(context));
  const steps: Step[] = NAMES.map((name) => ({ kind: 'workday', name, month: '03', note: 0 }));
  const objects = steps.map(firm.objectOf);
  const wrong = { ...objects[1], json: objects[1]?.json.replace(/"employee_id":"[^"]*"/, `"employee_id":"${newId()}"`) } as LiveObject;
  const settled = await Promise.allSettled([objects[0], wrong, objects[2]].map((object) => take(object as LiveObject)));
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect((await firm.stored())[0]?.workdays.map(({ id }) => id)).toEqual(['workday first', 'workday third']);
});
