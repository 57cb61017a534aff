import { employeesInOrder } from '../../platform/employees.js';
import type { Case, PrepareOptions, Prepared, Ratio } from '../../harness/types.js';
import { toValues } from '../../platform/measured-download.js';
import { benchPlatform, type BenchPlatform } from '../../platform/platform.js';
import { preparedOn } from '../../platform/prepared.js';
import { reportFirm } from '../../platform/report-firm.js';
import { createSameIndexes } from '../../platform/same-indexes.js';
import { withDatabase } from '../../platform/stored-months.js';
import { removeSuppressions } from './remove-suppressions.js';
import { API, ruleBody } from './requests.js';
import { FLOOR_DATABASE, type Operation, type SmallWritesValues } from './values.js';

const load = { module: new URL('./variants/load.js', import.meta.url) };
const OPERATIONS: readonly Operation[] = ['patch', 'post', 'entries'];
/** Number of rules, which are changed in turn: writing a rule whose last event has not been published yet costs more. */
const RULES = 20;
/** The date of the newest reports. */
const DATE = '2025-12-31';

const WRITTEN = [
  { service: 'absence_rules', collection: 'absence_rules' },
  { service: 'reviews', collection: 'suppressions' },
] as const;

type Firm = Pick<SmallWritesValues, 'mongodbUrl' | 'institutionId' | 'token'>;

async function prepare({ size, quick }: PrepareOptions): Promise<Prepared> {
  const platform = await benchPlatform(quick);
  const { mongodbUrl } = platform;
  const firm = { mongodbUrl, ...(await platform.firm(reportFirm(size))) };
  const employees = await employeesInOrder(mongodbUrl, firm.institutionId);
  const employeeIds = employees.slice(0, RULES).map(({ id }) => id);
  await removeWritten(firm);
  const ruleIds = await createRules(platform, firm.token, employeeIds);
  await copyWritten(firm);
  const port = Number(new URL(platform.baseUrl).port);
  const common = preparedOn({
    platform,
    quick,
    services: ['gateway', 'records', 'absence-rules', 'reviews', 'daily-reports'],
    values: { ...firm, employeeIds, ruleIds, date: DATE },
    runs: {},
    notes: [`one client; ${RULES} rules, suppressions for ${RULES} employees, a page of 100 entries of ${DATE} out of ${size} reports`],
  });
  return {
    ...common,
    async before(variant) {
      const operation = OPERATIONS.find((name) => variant.startsWith(name));
      if (operation === 'post') await removeSuppressions(firm);
      return { ...(await common.before?.(variant)), ...toValues({ operation, ...(!variant.endsWith('-floor') && { port }) }) };
    },
    async close() {
      await removeWritten(firm);
      await common.close();
    },
  };
}

async function createRules({ baseUrl }: BenchPlatform, token: string, employeeIds: readonly string[]): Promise<readonly string[]> {
  const url = baseUrl + API.rules.slice('/api/v2'.length);
  const ids: string[] = [];
  for (const employeeId of employeeIds) {
    const headers = { authorization: `Token ${token}`, 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body: ruleBody(employeeId, 0) });
    if (!response.ok) throw new Error(`Creating a rule was answered with ${response.status}: ${await response.text()}`);
    ids.push(((await response.json()) as { readonly id: string }).id);
  }
  return ids;
}

/** Copies the documents and indexes for the floor. */
async function copyWritten({ mongodbUrl, institutionId }: Firm): Promise<void> {
  for (const { service, collection } of WRITTEN) {
    await withDatabase(mongodbUrl, service, ({ connection: { db: from } }) =>
      withDatabase(mongodbUrl, FLOOR_DATABASE, async ({ connection: { db: to } }) => {
        if (from === undefined || to === undefined) throw new Error('There is no connection.');
        await createSameIndexes(from.collection(collection), to.collection(collection));
        const documents = await from
          .collection(collection)
          .find({ institution_id: institutionId }, { projection: { outbox: 0 } })
          .toArray();
        if (documents.length > 0) await to.collection(collection).insertMany(documents);
      }),
    );
  }
}

/** Deletes all written documents directly in the database, without events. */
async function removeWritten(firm: Firm): Promise<void> {
  const { mongodbUrl, institutionId } = firm;
  await removeSuppressions(firm);
  await withDatabase(mongodbUrl, 'absence_rules', async ({ connection }) => {
    await connection.collection('absence_rules').deleteMany({ institution_id: institutionId });
  });
  await withDatabase(mongodbUrl, FLOOR_DATABASE, async ({ connection }) => void (await connection.db?.dropDatabase()));
}

const ratios = OPERATIONS.map((of): Ratio => ({ goal: 'small', measure: 'p50Ms', of, to: `${of}-floor`, target: 2 }));

export const smallWrites: Case = {
  name: 'small-writes',
  goals: ['small'],
  title: 'PATCH of an absence rule, POST of a suppression and a page of entries, compared with a minimal chain with one read and one write',
  sizes: { quick: 40, full: 1_000 },
  variants: Object.fromEntries(OPERATIONS.flatMap((name) => [`${name}-floor`, name].map((variant) => [variant, load]))),
  equal: OPERATIONS.map((name) => [name, `${name}-floor`]),
  ratios,
  prepare,
};
