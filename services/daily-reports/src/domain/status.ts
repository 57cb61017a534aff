import type { EpochSecond } from '@stechuhr/worktime';
import type { ReportStatus } from './report.js';

/** The permission needed to change a status. */
export type ReportPermission = 'edit' | 'approve' | 'supervise';

/** One change of status. The log of a report consists of them. */
export interface StatusChange {
  readonly id: string;
  readonly status: ReportStatus;
  readonly actorId: string;
  readonly at: EpochSecond;
  readonly reason: string | null;
  /** Position in the stream of live objects; undefined if it was recorded otherwise. */
  readonly liveSequence: number | undefined;
}

export interface Transition {
  readonly from: ReportStatus;
  readonly to: ReportStatus;
  readonly permission: ReportPermission;
  readonly needsReason: boolean;
}

/** The complete table. Any other change is rejected. */
const transitions: readonly Transition[] = [
  move('draft', 'submitted', 'edit'),
  move('submitted', 'closed', 'approve'),
  move('draft', 'closed', 'approve'),
  { ...move('submitted', 'draft', 'approve'), needsReason: true },
  move('closed', 'draft', 'approve'),
  move('closed', 'archived', 'supervise'),
  move('submitted', 'archived', 'supervise'),
  move('archived', 'draft', 'supervise'),
];

export function transitionOf(from: ReportStatus, to: ReportStatus): Transition | undefined {
  return transitions.find((transition) => transition.from === from && transition.to === to);
}

/** Returns the status of a report. Without a recorded change it is a draft. */
export function statusOf(log: readonly Pick<StatusChange, 'status'>[]): ReportStatus {
  return log.at(-1)?.status ?? 'draft';
}

/** The maximum number of status changes of a report, which are stored in its document, and the maximum size of their reasons in bytes. */
const MAX_STATUS_CHANGES = 1_000;
const MAX_REASONS_BYTES = 1024 * 1024;

/** Returns why a log may not become this long; undefined if it may. */
export function refusalOfLog(log: readonly Pick<StatusChange, 'reason'>[]): string | undefined {
  if (log.length > MAX_STATUS_CHANGES) return `A report may not change its status more than ${String(MAX_STATUS_CHANGES)} times.`;
  const bytes = log.reduce((sum, { reason }) => sum + Buffer.byteLength(reason ?? ''), 0);
  return bytes > MAX_REASONS_BYTES ? `The reasons of a report may not have more than ${String(MAX_REASONS_BYTES)} bytes.` : undefined;
}

function move(from: ReportStatus, to: ReportStatus, permission: ReportPermission): Transition {
  return { from, to, permission, needsReason: false };
}
