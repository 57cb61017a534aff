import { AppError, newId } from '@stechuhr/kernel';
import type { ReportKey, ReportStatus } from '../domain/report.js';
import { statusOf, transitionOf, type ReportPermission, type StatusChange } from '../domain/status.js';
import type { Call, Ports } from './ports.js';
import { projectOf } from './project-of.js';
import type { Tenant } from './tenant.js';

export interface StatusRequest {
  readonly report: ReportKey;
  readonly status: ReportStatus;
  readonly permissions: readonly ReportPermission[];
  readonly reason: string | null;
}

const MAX_RACES = 20;

/** Moves a report along the table of transitions. @returns false where it had the status already @throws AppError `invalid` `forbidden` */
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
  /** Undefined where somebody else has judged them. */
  readonly permissions?: readonly ReportPermission[];
  /** Logs a change to the status that the report has, so that its id is known. */
  readonly keepsRepeats?: boolean;
}

/** Appends a change to the log of a report, judged against the newest one. */
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
    const event = isRepeat ? undefined : events.statusChanged(tenant, report, { from, to: change.status });
    if (await reports.writeLog(tenant, report, { after: log, changes: [...log.changes, change], event })) {
      notifyOutbox();
      return !isRepeat;
    }
  }
  throw new AppError('unavailable', 'Too many change the same report at once.');
}

function judgeMove(from: ReportStatus, { status: to, reason }: StatusChange, permissions: readonly ReportPermission[] | undefined): void {
  const transition = transitionOf(from, to);
  if (transition === undefined) throw AppError.invalid({ status: [`A report that is ${from} cannot become ${to}.`] });
  if (permissions === undefined) return;
  if (!permissions.includes(transition.permission)) throw new AppError('forbidden', 'You do not have permission to perform this action.');
  if (transition.needsReason && (reason ?? '').trim() === '') throw AppError.invalid({ reason: ['This field is required.'] });
}
