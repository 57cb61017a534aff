import { judgeBody, reportStatusQuery, type JudgedBody } from '@stechuhr/contracts';
import { AppError, newId, type FieldErrors } from '@stechuhr/kernel';
import { parseLocalDate, type EpochDay } from '@stechuhr/worktime';
import type { ReportKey, ReportStatus } from '../domain/report.js';
import { refusalOfLog, statusOf, transitionOf, type ReportPermission, type StatusChange } from '../domain/status.js';
import type { Call, Ports, Project } from './ports.js';
import type { Tenant } from './tenant.js';

/**
 * Returns the project to which a parameter or field refers. @throws AppError `invalid`, the same for unknown, invisible and disabled
 * projects
 */
export async function projectOf({ records }: Pick<Call, 'records'>, field: string, projectId: string): Promise<Project> {
  const project = await records.findProject(projectId);
  if (project === undefined) throw AppError.invalid(unknownProject(field, projectId));
  return project;
}

function unknownProject(field: string, projectId: string): FieldErrors {
  return { [field]: [`Invalid pk "${projectId}" - object does not exist.`] };
}

/**
 * Returns the fields of a request about a report. If some are invalid, it looks up the project, so that all problems are reported together.
 *
 * @throws AppError `invalid`
 */
export async function validFields<B extends { readonly tag: string }>(
  { records }: Pick<Call, 'records'>,
  { values, errors }: JudgedBody<B>,
): Promise<B> {
  // Without errors, all fields have been parsed.
  if (Object.keys(errors).length === 0) return values as B;
  const isKnown = values.tag === undefined || (await records.findProject(values.tag)) !== undefined;
  throw AppError.invalid({ ...errors, ...(isKnown ? {} : unknownProject('tag', String(values.tag))) });
}

export interface FoundStatus extends ReportKey {
  readonly status: ReportStatus;
}

/**
 * Returns the status of a report; draft if none was recorded.
 *
 * @param parameters query parameters as sent
 * @throws AppError `invalid` naming the invalid parameters
 */
export async function getStatus(call: Call, parameters: Readonly<Record<string, string>>): Promise<FoundStatus> {
  const report = await readKey(call, parameters);
  await projectOf(call, 'tag', report.tagId);
  return { ...report, status: await call.reports.statusOf(call.caller, report) };
}

/** Parses the key of a report. Empty parameters count as missing. */
async function readKey(call: Call, parameters: Readonly<Record<string, string>>): Promise<ReportKey> {
  const given = Object.fromEntries(Object.entries(parameters).filter(([, value]) => value.trim() !== ''));
  const { tag, date } = await validFields(call, judgeBody(reportStatusQuery, given));
  return { tagId: tag, date: dayOf(date) };
}

/** Returns the day of a date that has been validated. */
export function dayOf(text: string): EpochDay {
  const day = parseLocalDate(text);
  if (day === undefined) throw new AppError('internal', 'Internal error.', { cause: new Error(`${text} passed as a date.`) });
  return day;
}

export interface StatusRequest {
  readonly report: ReportKey;
  readonly status: ReportStatus;
  readonly permissions: readonly ReportPermission[];
  readonly reason: string | null;
}

const MAX_RACES = 20;

/**
 * Changes the status of a report if the table of transitions allows it. @returns false if it already had the status @throws AppError
 * `invalid` `forbidden`
 */
export async function changeStatus(call: Call, { report, status, permissions, reason }: StatusRequest): Promise<boolean> {
  await projectOf(call, 'tag_id', report.tagId);
  const change = {
    id: newId(),
    status,
    actorId: call.caller.accountId,
    at: Math.floor(call.clock.now() / 1000),
    reason,
    liveSequence: undefined,
  };
  return appendChange(call, call.caller, { report, change, permissions });
}

export interface Appending {
  readonly report: ReportKey;
  readonly change: StatusChange;
  /** Undefined if permissions have been checked before. */
  readonly permissions?: readonly ReportPermission[];
  /** Whether to log a change to the current status, so that its id is recorded. */
  readonly keepsRepeats?: boolean;
}

/** Appends a change to the log of a report, after checking it against the current log. */
export async function appendChange(
  { reports, events, notifyOutbox }: Pick<Ports, 'reports' | 'events' | 'notifyOutbox'>,
  tenant: Tenant,
  { report, change, permissions, keepsRepeats = false }: Appending,
): Promise<boolean> {
  for (let race = 0; race < MAX_RACES; race += 1) {
    const log = await reports.logOf(tenant, report);
    const from = statusOf(log.changes);
    const isRepeat = from === change.status;
    if (isRepeat && !keepsRepeats) return false;
    if (!isRepeat) judgeMove(from, change, permissions);
    const changes = [...log.changes, change];
    const refusal = refusalOfLog(changes);
    if (refusal !== undefined) throw AppError.invalid({ status: [refusal] });
    const event = isRepeat ? undefined : events.statusChanged(tenant, report, { from, to: change.status });
    if (await reports.writeLog(tenant, report, { after: log, changes, event })) {
      notifyOutbox();
      return !isRepeat;
    }
  }
  throw new AppError('unavailable', 'Too many concurrent changes of the same report.');
}

function judgeMove(from: ReportStatus, { status: to, reason }: StatusChange, permissions: readonly ReportPermission[] | undefined): void {
  const transition = transitionOf(from, to);
  if (transition === undefined) throw AppError.invalid({ status: [`A report that is ${from} cannot become ${to}.`] });
  if (permissions === undefined) return;
  if (!permissions.includes(transition.permission)) throw new AppError('forbidden', 'You do not have permission to perform this action.');
  if (transition.needsReason && (reason ?? '').trim() === '') throw AppError.invalid({ reason: ['This field is required.'] });
}
