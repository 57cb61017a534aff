import { z } from 'zod';
import { importedId } from './imported-id.js';

/** An entry of the catalogue of events. */
export interface EventDefinition {
  /** `<service>.<entity>.<past-tense verb>`, the last part of the subject and the main part of the CloudEvents type. */
  readonly type: string;
  /** The description of the event, in one sentence. */
  readonly description: string;
  /** Only ids and numbers: no free text, no personal data. */
  readonly data: z.ZodType;
  /** Services of the platform that delete dependent data of the deleted record; each has a queue for it ({@link streams.deletions}). */
  readonly consumers: readonly string[];
  /**
   * Whether it is published without an outbox, because it reports what stores nothing: it is lost if its process is killed or NATS is
   * unavailable.
   */
  readonly atMostOnce: boolean;
}

/**
 * Kinds of records that `records` owns, as they appear in import lines, live subjects and events
 * (docs/rules/records.md#the-import-contract).
 */
export const ingestKinds = [
  'institution',
  'account',
  'department',
  'employee',
  'contract',
  'project',
  'workday',
  'workmonth',
  'absence',
  'absence_application',
] as const;

/** The services that delete dependent data of a deleted record, by kind. */
const consumersOfDeletion: Readonly<Partial<Record<(typeof ingestKinds)[number], readonly string[]>>> = {
  institution: ['reviews', 'daily-reports', 'webhooks'],
  account: ['gateway', 'tasks'],
  employee: ['absence-rules', 'reviews', 'tasks'],
};

const employeeId = importedId().describe('The employee that it belongs to.');
const year = z.int().min(1970).max(9999).describe('Year.');
const month = z.int().min(1).max(12).describe('Month, 1 for January.');
const days = { employee_id: employeeId, starts_on: z.iso.date().describe('First day.'), ends_on: z.iso.date().describe('Last day.') };

/** The month of an employee to which records belong, so that consumers with a copy of a month know which one to read again. */
const places: Readonly<Partial<Record<(typeof ingestKinds)[number], z.ZodRawShape>>> = {
  contract: { employee_id: employeeId },
  workday: { employee_id: employeeId, date: z.iso.date().describe('The day that it belongs to.') },
  workmonth: { employee_id: employeeId, year, month },
  absence: days,
  absence_application: days,
};

const recordId = { id: importedId().describe('Id of the record.') };
const recordEvents = ingestKinds.flatMap((kind) => [
  define(`records.${kind}.changed`, `A record of kind ${kind} was created or changed.`, changedData(places[kind])),
  define(`records.${kind}.deleted`, `A record of kind ${kind} was deleted.`, deletedData(places[kind]), consumersOfDeletion[kind]),
]);

function changedData(place: z.ZodRawShape | undefined) {
  if (place === undefined) return z.strictObject(recordId);
  const previous = z.strictObject(place).optional().describe('The same fields before the change, if one of them changed.');
  return z.strictObject({ ...deletedData(place).shape, previous });
}

/** Optional fields, because events of earlier versions, which may still be in streams and outboxes, only contain the id. */
function deletedData(place: z.ZodRawShape | undefined) {
  return z.strictObject({ ...recordId, ...z.object(place ?? {}).partial().shape });
}

const ruleData = z.strictObject({
  id: z.uuid().describe('Id of the rule.'),
  employee_id: importedId().describe('The employee to whom it grants days; for a deleted rule, the last one.'),
});

const suppressionData = z.strictObject({
  id: z.uuid().describe('Id of the suppression rule.'),
  code: z.string().describe('The check whose findings it hides, for example insufficient-break.'),
  employee_id: importedId().nullable().describe('Null if it applies to all employees.'),
});

const entryData = z.strictObject({
  id: importedId().describe('Id of the entry.'),
  tag_id: importedId().describe('The project.'),
  date: z.iso.date().describe('The day of the report.'),
});

const reportData = {
  id: z
    .string()
    .regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\|\d{4}-\d{2}-\d{2}$/)
    .describe('`<tag_id>|<date>`'),
};
const reportStatus = z.enum(['draft', 'submitted', 'closed', 'archived']);

const ownerId = importedId().describe('The account that asked for it.');
const taskData = { id: z.uuid().describe('Id of the task.') };

const tokenData = z.strictObject({
  id: z.uuid().describe('Id of the token.'),
  account_id: importedId().describe('The account whose rights it has.'),
});

const webhookData = z.strictObject({ id: z.uuid().describe('Id of the webhook.') });

/** Every event of the platform. Subjects, `docs/events.md` and the validation of published messages are derived from this table. */
export const events = [
  ...recordEvents,
  define(
    'records.import.finished',
    'An import command has written its records of the kinds above, which are visible now. Its daily reports and review settings may follow.',
    z.strictObject({
      id: z.uuid().describe('Id of the import.'),
      accepted: z.record(z.string(), z.int().positive()).describe('Accepted lines by kind; a kind without any is missing.'),
      rejected: z.int().nonnegative().describe('Number of rejected lines of these kinds that name the institution.'),
    }),
  ),
  defineAtMostOnce(
    'exports.export.ran',
    'A synchronous export has been answered completely.',
    z.strictObject({
      id: z.uuid().describe('Id of the run.'),
      exporter: z.string().describe('For example payroll_a.'),
      export_format: z.string().describe('For example csv, without its options.'),
      rows: z.int().nonnegative().describe('Without header rows.'),
      skipped: z.int().nonnegative().describe('Selected employees missing from the file.'),
    }),
  ),
  define(
    'tasks.task.created',
    'An asynchronous task was started; its job waits for a worker.',
    z.strictObject({ ...taskData, action: z.string().describe('Kind of job, for example generic_export.'), account_id: ownerId }),
  ),
  define('tasks.task.started', 'A worker has taken the job of a task for the first time.', z.strictObject(taskData)),
  define(
    'tasks.task.progressed',
    'The job of a task has passed another tenth of its rows. Another attempt begins again at its first row.',
    z.strictObject({
      ...taskData,
      rows_done: z.int().nonnegative().describe('May exceed the estimate.'),
      rows_estimated: z.int().positive().describe('Of the whole file; the estimate may change.'),
    }),
  ),
  define(
    'tasks.task.finished',
    'A task has finished; its file can be downloaded.',
    z.strictObject({
      ...taskData,
      rows: z.int().nonnegative().describe('Without header rows; of a bundle, its reports.'),
      size_bytes: z.int().nonnegative().describe('Size of the file in bytes.'),
      skipped: z.int().nonnegative().describe('Selected employees missing from the file.'),
    }),
  ),
  define(
    'tasks.task.failed',
    'A task ended in error, or the file of a finished task was lost.',
    z.strictObject({
      ...taskData,
      cause: z
        .enum(['failures', 'lost-leases', 'invalid'])
        .describe('Failed or was interrupted too often, or lost its file; lost its worker too often; or can never succeed.'),
    }),
  ),
  define(
    'tasks.task.deleted',
    'A task was deleted by its owner or together with the account; its file is being removed. Nothing is published when a task expires.',
    z.strictObject(taskData),
  ),
  define('absence-rules.rule.created', 'A manual absence rule was created.', ruleData),
  define('absence-rules.rule.updated', 'A manual absence rule changed.', ruleData),
  define('absence-rules.rule.deleted', 'A manual absence rule was deleted.', ruleData),
  define('reviews.suppression.created', 'A suppression rule was created.', suppressionData),
  define('reviews.suppression.updated', 'A suppression rule changed.', suppressionData),
  define(
    'reviews.suppression.deleted',
    'A suppression rule was deleted, possibly together with its employee or institution.',
    suppressionData,
  ),
  defineAtMostOnce(
    'reviews.review.ran',
    'A review of a month has been answered completely.',
    z.strictObject({
      id: z.uuid().describe('Id of the run.'),
      year,
      month,
      employees: z.int().nonnegative().describe('Employees with a workday in the month.'),
      findings: z.int().nonnegative().describe('Including suppressed ones.'),
    }),
  ),
  define('daily-reports.entry.recorded', 'A new value of a daily report was recorded.', entryData),
  define('daily-reports.entry.burned', 'A value of a daily report was deleted by a tombstone.', entryData),
  define(
    'daily-reports.entry.removed',
    'An entry of a daily report was removed by an import or a live object; lists no longer contain it.',
    entryData,
  ),
  define(
    'daily-reports.report.status-changed',
    'A daily report was submitted, closed, archived or reopened.',
    z.strictObject({ ...reportData, from: reportStatus, to: reportStatus }),
  ),
  define(
    'daily-reports.report.autofilled',
    'Time tracking was written into a daily report.',
    z.strictObject({ ...reportData, fields: z.array(z.string()).min(1).describe('Ids of the fields that were written.') }),
  ),
  defineAtMostOnce(
    'daily-reports.report.rendered',
    'The PDF of a daily report has been answered completely, or the report was written into the file of a task.',
    z.strictObject(reportData),
  ),
  defineAtMostOnce(
    'daily-reports.photo.token-issued',
    'A token for uploading a photo and its preview was issued.',
    z.strictObject({ id: z.uuid().describe('Id of the photo, as in its key.'), account_id: ownerId }),
  ),
  define(
    'daily-reports.form.configured',
    'A form of daily reports was created, changed or deleted.',
    z.strictObject({ id: importedId().describe('Id of the form.') }),
  ),
  define('gateway.token.issued', 'An API token was issued.', tokenData),
  define('gateway.token.revoked', 'An API token was revoked.', tokenData),
  define('webhooks.webhook.created', 'A webhook was created.', webhookData),
  define('webhooks.webhook.updated', 'A webhook was changed by an administrator, or has a new secret.', webhookData),
  define(
    'webhooks.webhook.disabled',
    'A webhook was disabled because of its answers.',
    z.strictObject({ ...webhookData.shape, reason: z.enum(['gone', 'failing']).describe('It answered 410, or failed for five days.') }),
  ),
  define('webhooks.webhook.deleted', 'A webhook was deleted, possibly together with its institution.', webhookData),
  define('webhooks.webhook.tested', 'A test of a webhook was requested; it is delivered to that webhook alone.', webhookData),
] as const satisfies readonly EventDefinition[];

/** Every type of an event. */
export const eventTypes = events.map(({ type }) => type) as [EventType, ...EventType[]];

/** Type of an event, for example `records.employee.changed`. */
export type EventType = (typeof events)[number]['type'];

function define<T extends string>(type: T, description: string, data: z.ZodType, consumers: readonly string[] = []) {
  return { type, description, data, consumers, atMostOnce: false };
}

function defineAtMostOnce<T extends string>(type: T, description: string, data: z.ZodType) {
  return { ...define(type, description, data), atMostOnce: true };
}
