import type { EpochSecond } from '@stechuhr/worktime';
import type { ReportStatus } from './report.js';

/** The permission needed to change a status. */
export type ReportPermission = 'edit' | 'approve' | 'supervise';

/** One change of status; the log of a report consists of them. */
export interface StatusChange {
  readonly id: string;
  readonly status: ReportStatus;
  readonly actorId: string;
  readonly at: EpochSecond;
  readonly reason: string | null;
  /** Place in the stream of live objects; undefined where it came otherwise. */
  readonly liveSequence: number | undefined;
}

export interface Transition {
  readonly from: ReportStatus;
  readonly to: ReportStatus;
  readonly permission: ReportPermission;
  readonly needsReason: boolean;
}

/** The complete table: any other move is refused. */
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

/** A report with no recorded change is a draft. */
export function statusOf(log: readonly Pick<StatusChange, 'status'>[]): ReportStatus {
  return log.at(-1)?.status ?? 'draft';
}

function move(from: ReportStatus, to: ReportStatus, permission: ReportPermission): Transition {
  return { from, to, permission, needsReason: false };
}
