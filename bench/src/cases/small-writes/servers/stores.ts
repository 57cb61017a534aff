import { absenceRulesV1, dailyReportsV1, reviewsV1 } from '@stechuhr/contracts';
import { newId } from '@stechuhr/kernel';
import { connectMongo } from '@stechuhr/mongo';
import { createLogger, serverStream, startGrpcServer, unary, type ServedService } from '@stechuhr/service';
import { parseLocalDate } from '@stechuhr/worktime';
import { serve } from '../../gateway/servers/start.js';
import { FLOOR_DATABASE } from '../values.js';
import { toEntry, type EntryFields } from './to-entry.js';

interface Settings {
  readonly protoRoot: string;
  readonly mongodbUrl: string;
  readonly institutionId: string;
}

type Fields = Readonly<Record<string, string>>;
type Stored = { readonly _id: string } & Readonly<Record<string, unknown>>;

const logger = createLogger('bench', 'error');
/** Events are not read. */
const FIELDS = { outbox: 0 } as const;

/** Answers each call with only the necessary reads and the write, using the driver directly and without validation. */
await serve(async ({ protoRoot, mongodbUrl, institutionId }: Settings) => {
  const written = await databaseOf(mongodbUrl, FLOOR_DATABASE);
  const read = await databaseOf(mongodbUrl, 'daily_reports');
  const owned = { institution_id: institutionId };
  const rules = written.collection<Stored>('absence_rules');
  const suppressions = written.collection<Stored>('suppressions');
  const entries = read.collection<EntryFields>('entries');
  const services: ServedService[] = [
    {
      definition: absenceRulesV1.AbsenceRulesServiceService,
      implementation: {
        updateRule: unary(async ({ ruleId: _id, json }: absenceRulesV1.UpdateRuleRequest) => {
          const rule = ruleOf(JSON.parse(json) as Fields);
          await rules.findOne({ _id, ...owned, deleted_at: null }, { projection: FIELDS });
          await rules.updateOne({ _id, ...owned, deleted_at: null }, { $set: { ...documentOf(rule), written_at: new Date() } });
          return { rule: { id: _id, ...rule, source: absenceRulesV1.RuleSource.RULE_SOURCE_MANUAL } };
        }),
      },
    },
    {
      definition: reviewsV1.ReviewsServiceService,
      implementation: {
        createSuppression: unary(async ({ json }: reviewsV1.CreateSuppressionRequest) => {
          const { code = '', employee_id: employeeId = '', ...days } = JSON.parse(json) as Fields;
          const [validFrom, validTo] = [dayOf(days['valid_from']), dayOf(days['valid_to'])];
          const key = [institutionId, code, employeeId, validFrom].join('/');
          await suppressions.findOne({ ...owned, key }, { projection: FIELDS });
          const [id, now] = [newId(), new Date()];
          const dates = { valid_from: validFrom, valid_to: validTo, created_at: now, modified_at: now, deleted_at: null };
          await suppressions.insertOne({ _id: id, key, ...owned, code, employee_id: employeeId, ...dates });
          const times = { createdAt: now.getTime(), modifiedAt: now.getTime() };
          return { suppression: { id, code, employeeId, validFrom, validTo, ...times }, created: true };
        }),
      },
    },
    {
      definition: dailyReportsV1.DailyReportsServiceService,
      implementation: {
        listEntries: serverStream(async function* ({ parameters, limit, offset: skip }: dailyReportsV1.ListEntriesRequest) {
          const filter = { ...owned, date: dayOf(parameters['date']) };
          const order = { sort: { date: -1, sequence: -1, tag_id: 1 }, projection: FIELDS } as const;
          const page = entries.find(filter, { ...order, skip, limit, batchSize: limit });
          const [count, found] = await Promise.all([entries.countDocuments(filter), page.toArray()]);
          yield { count, entries: found.map(toEntry) };
        }),
      },
    },
  ];
  const server = await startGrpcServer({ bind: '127.0.0.1:0', services, protoRoot, logger });
  server.setServing(true);
  return server.port;
});

async function databaseOf(url: string, service: string) {
  const { connection } = await connectMongo({ url, database: `stechuhr_${service}`, logger });
  if (connection.db === undefined) throw new Error('There is no connection.');
  return connection.db;
}

function dayOf(text: string | undefined): number {
  return parseLocalDate(text ?? '') ?? 0;
}

function ruleOf({ employee_id: employeeId = '', label = '', missing_type: missingType = '', ...fields }: Fields) {
  const { amount, priority, available_from, expires_at } = fields;
  const days = { availableFrom: dayOf(available_from), expiresAt: dayOf(expires_at) };
  return { employeeId, label, missingType, amountHundredths: Number(amount) * 100, priority: Number(priority), ...days };
}

function documentOf({ employeeId, label, missingType, amountHundredths, priority, ...days }: ReturnType<typeof ruleOf>) {
  const { availableFrom: available_from, expiresAt: expires_at } = days;
  return { employee_id: employeeId, label, missing_type: missingType, amount: amountHundredths, priority, available_from, expires_at };
}
