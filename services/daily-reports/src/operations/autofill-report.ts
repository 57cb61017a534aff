import { autofillBody, judgeBody, readJson } from '@stechuhr/contracts';
import { AppError, newId } from '@stechuhr/kernel';
import { autofill, autofillableFields, isSettled, type AutofillWrite, type TrackedValue } from '../domain/autofill.js';
import type { EntryValue } from '../domain/entry-value.js';
import { newestOfGroups, type Entry } from '../domain/entry.js';
import { activeForm, type FormField } from '../domain/form.js';
import { reportId, type ReportKey, type ReportStatus } from '../domain/report.js';
import { refusalOfSize, sizeOf, together } from '../domain/report-size.js';
import { statusOf } from '../domain/status.js';
import { trackedDay, type TrackedEmployee } from '../domain/tracked-day.js';
import type { Call, Employee, EntryDraft } from './ports.js';
import { recordEntries, type Judge } from './record-entries.js';
import { NEW_REPORT, type Standing } from './report-port.js';
import { dayOf, projectOf, validFields } from './report-status.js';

export interface Autofilled extends ReportKey {
  /** The fields that received an entry or a tombstone, in the order of the form. */
  readonly filled: readonly string[];
}

/** The body as sent, and whether the token may fill submitted or closed reports. */
export interface AutofillRequest {
  readonly json: string;
  readonly mayApprove: boolean;
}

/** How often the time is read again while others write to the report. */
const MAX_RACES = 5;

/**
 * Fills a report from time tracking, except for values that a person has entered. If another autofill writes the same values concurrently, nothing is
 * written.
 */
export async function autofillReport(call: Call, { json, mayApprove }: AutofillRequest): Promise<Autofilled> {
  const body = await validFields(call, judgeBody(autofillBody, readJson(json)));
  const report = { tagId: body.tag, date: dayOf(body.date) };
  // How the report was before the time is read. Both reads together, so that it costs no time.
  const [forms, before] = await Promise.all([call.forms.list(call.caller), standingOf(call, report)]);
  const form = activeForm(forms, report.date);
  const fields = autofillableFields(form).filter(({ id }) => body.field === null || body.field === id);
  // Read in parallel with the project. For a project that the caller may not see, no time is returned.
  const reading = fields.length === 0 ? undefined : readDay(call, report, { fields, before });
  // Problems of the project take precedence.
  reading?.catch(() => undefined);
  await projectOf(call, 'tag', report.tagId);
  const judge: Judge = async () => {
    const { revision, changes } = await call.reports.logOf(call.caller, report);
    assertFillable(statusOf(changes), mayApprove);
    return revision;
  };
  await judge();
  const filled = new Set<string>();
  let day = await reading;
  for (let race = 0; day !== undefined && race < MAX_RACES; race += 1) {
    const { written, isAlone } = await fill(call, report, { ...day, fields, judge });
    for (const { fieldId } of written) filled.add(fieldId);
    day = isAlone ? undefined : await readDay(call, report, { fields, before: await standingOf(call, report) });
  }
  return { ...report, filled: fields.map(({ id }) => id).filter((id) => filled.has(id)) };
}

/** Checks that the status allows an autofill. @throws AppError `forbidden` or `invalid` */
function assertFillable(status: ReportStatus, mayApprove: boolean): void {
  if ((status === 'submitted' || status === 'closed') && !mayApprove) {
    throw new AppError('forbidden', 'You do not have permission to perform this action.');
  }
  if (status === 'archived') throw AppError.invalid({ non_field_errors: ['The report is archived; it has to be reopened first.'] });
}

/** The tracked time and the stored entries of the report, and how it was before both were read. */
interface Day {
  readonly before: Standing;
  readonly tracked: readonly TrackedEmployee[];
  readonly entries: readonly Entry[];
}

async function standingOf({ reports, caller }: Call, report: ReportKey): Promise<Standing> {
  return (await reports.standings(caller, [report])).get(reportId(report)) ?? NEW_REPORT;
}

async function readDay(
  { records, entries, caller }: Call,
  report: ReportKey,
  { fields, before }: { readonly fields: readonly FormField[]; readonly before: Standing },
): Promise<Day> {
  const fieldIds = fields.map(({ id }) => id);
  const [tracked, ofReport] = await Promise.all([records.readProjectDay(report), entries.ofReport(caller, report, { fieldIds })]);
  return { before, tracked, entries: ofReport };
}

interface Filling extends Day {
  readonly fields: readonly FormField[];
  readonly judge: Judge;
}

/** The entries that were written, and whether nobody else has written to the report since the time was read. */
interface Filled {
  readonly written: readonly Entry[];
  readonly isAlone: boolean;
}

/** Writes the missing entries. If others have written meanwhile, for example an autofill that has read later time, these may be outdated. */
async function fill(call: Call, report: ReportKey, { before, tracked, entries, fields, judge }: Filling): Promise<Filled> {
  const days = tracked.map((employee) => trackedDay(employee, report));
  const writes = autofill(fields, days, newestOfGroups(entries));
  const drafts = await draftsOf(call, writes);
  assertRoom(before, drafts);
  const { written } = await recordEntries(call, call.caller, { report, drafts, isAutofill: true, judge });
  return { written, isAlone: written.every(({ sequence }, at) => sequence === before.nextSequence + at) };
}

/** @throws AppError `invalid` */
function assertRoom({ size }: Standing, drafts: readonly EntryDraft[]): void {
  if (drafts.length === 0) return;
  const refusal = refusalOfSize(together(size, sizeOf(drafts.map(({ value }) => value))));
  if (refusal !== undefined) throw AppError.invalid({ non_field_errors: [refusal] });
}

/**
 * Returns the system entries of an autofill: hours with the current data of the employee, and tombstones with the value that they delete.
 * An employee who has been deleted in the meantime gets none.
 */
async function draftsOf({ records, clock }: Pick<Call, 'records' | 'clock'>, writes: readonly AutofillWrite[]): Promise<EntryDraft[]> {
  const named = writes.flatMap((write) => ('burns' in write || write.value.type === 'activities' ? [] : [write.employeeId]));
  const employees = named.length === 0 ? new Map<string, Employee>() : await records.readEmployees([...new Set(named)]);
  const now = Math.floor(clock.now() / 1000);
  const common = { authorId: null, submittedAt: null, createdAt: now, modifiedAt: now };
  return writes.flatMap((write): EntryDraft[] => {
    const wanted = 'burns' in write ? undefined : write.value;
    const value = 'burns' in write ? write.burns.value : valueOf(write.value, employees.get(write.employeeId));
    if (value === undefined) return [];
    const onBehalfOfId = 'burns' in write ? write.burns.onBehalfOfId : write.employeeId;
    const isNeedless: EntryDraft['isNeedless'] = (newest) => isSettled(newest, wanted);
    return [{ ...common, id: newId(), fieldId: write.fieldId, value, onBehalfOfId, burned: wanted === undefined, isNeedless }];
  });
}

function valueOf(value: TrackedValue, employee: Employee | undefined): EntryValue | undefined {
  if (value.type === 'activities') return value;
  if (employee === undefined) return undefined;
  const { accountId, firstName, lastName, position } = employee;
  return { ...value, employeeAccountId: accountId ?? '', employeeName: `${firstName} ${lastName}`, employeePosition: position };
}
