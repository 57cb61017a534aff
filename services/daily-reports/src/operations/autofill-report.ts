import { autofillBody, parseBody, readJson } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { parseLocalDate } from '@stechuhr/worktime';
import { autofill, autofillableFields } from '../domain/autofill.js';
import { newestOfGroups } from '../domain/entry.js';
import { activeForm, type FormField } from '../domain/form.js';
import type { ReportKey, ReportStatus } from '../domain/report.js';
import { statusOf } from '../domain/status.js';
import { trackedDay } from '../domain/tracked-day.js';
import { draftsOf } from './autofill-drafts.js';
import type { Call } from './ports.js';
import { projectOf } from './project-of.js';
import { recordEntries } from './record-entries.js';

export interface Autofilled extends ReportKey {
  /** Fields that received an entry or a tombstone, in the order of the form. */
  readonly filled: readonly string[];
}

/** The caller's wish as it was sent, and whether the token may fill reports that are handed in. */
export interface AutofillRequest {
  readonly json: string;
  readonly mayApprove: boolean;
}

/** Lets a report say what time tracking says, as far as no person said otherwise. Whoever comes second with the same writes nothing. */
export async function autofillReport(call: Call, { json, mayApprove }: AutofillRequest): Promise<Autofilled> {
  const body = parseBody(autofillBody, readJson(json));
  const report = { tagId: body.tag, date: dayOf(body.date) };
  await projectOf(call, 'tag', report.tagId);
  const judge = async (): Promise<number> => {
    const { revision, changes } = await call.reports.logOf(call.caller, report);
    assertFillable(statusOf(changes), mayApprove);
    return revision;
  };
  await judge();
  const form = activeForm(await call.forms.list(call.caller), report.date);
  const fields = autofillableFields(form).filter(({ id }) => body.field === null || body.field === id);
  const filled = new Set(fields.length === 0 ? [] : await fill(call, report, { fields, judge }));
  return { ...report, filled: fields.map(({ id }) => id).filter((id) => filled.has(id)) };
}

/** @throws AppError `forbidden` or `invalid` */
function assertFillable(status: ReportStatus, mayApprove: boolean): void {
  if ((status === 'submitted' || status === 'closed') && !mayApprove) {
    throw new AppError('forbidden', 'You do not have permission to perform this action.');
  }
  if (status === 'archived') throw AppError.invalid({ non_field_errors: ['The report is archived; it has to be reopened first.'] });
}

interface Filling {
  readonly fields: readonly FormField[];
  readonly judge: () => Promise<number>;
}

/** @returns the fields of what was written */
async function fill(call: Call, report: ReportKey, { fields, judge }: Filling): Promise<readonly string[]> {
  const fieldIds = fields.map(({ id }) => id);
  const [tracked, entries] = await Promise.all([
    call.records.readProjectDay(report),
    call.entries.ofReport(call.caller, report, { fieldIds }),
  ]);
  const days = tracked.map((employee) => trackedDay(employee, report));
  const writes = autofill(fields, days, newestOfGroups(entries));
  const drafts = await draftsOf(call, writes);
  const { written } = await recordEntries(call, call.caller, { report, drafts, autofill: { judge } });
  return written.map(({ fieldId }) => fieldId);
}

function dayOf(text: string): number {
  const day = parseLocalDate(text);
  if (day === undefined) throw new AppError('internal', 'Internal error.', { cause: new Error(`${text} passed as a date.`) });
  return day;
}
