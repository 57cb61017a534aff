import { addDays, formatLocalDate } from '@stechuhr/worktime';
import { idOf, type Firm } from '../firm.js';
import { createRandom } from '../random.js';
import type { ReportStatusRecord } from '../records.js';
import { returnReason } from '../words/reports.js';
import type { ReportDay } from './report-days.js';

/** A status change of a report. */
interface Step {
  readonly status: ReportStatusRecord['status'];
  /** Days after the reported day. */
  readonly after: number;
  readonly time: string;
  readonly by: 'foreman' | 'approver';
  readonly reason?: string;
}

const submitted: Step = { status: 'submitted', after: 1, time: '07:10', by: 'foreman' };
const closed: Step = { status: 'closed', after: 3, time: '08:30', by: 'approver' };
/** Archived reports accept no entries; by then, there are no new ones. */
const archived: Step = { status: 'archived', after: 7, time: '18:00', by: 'approver' };
const returned: readonly Step[] = [
  { status: 'draft', after: 1, time: '13:40', by: 'approver', reason: returnReason },
  { status: 'submitted', after: 2, time: '07:05', by: 'foreman' },
];

/** Returns the status changes of a report until today. */
export function statusRecords(firm: Firm, report: ReportDay): readonly ReportStatusRecord[] {
  const isReturned = createRandom(firm.seed, 'returned', report.tagId, report.day).chance(0.2);
  const steps = [submitted, ...(isReturned ? returned : []), closed, archived];
  return steps.flatMap((step, index) => (step.after < report.age ? [statusRecord(firm, report, step, index)] : []));
}

function statusRecord(firm: Firm, report: ReportDay, step: Step, index: number): ReportStatusRecord {
  return {
    kind: 'daily_report_status',
    institution_id: firm.institutionId,
    id: idOf(firm, `report-status/${report.tagId}/${report.date}/${index}`),
    tag_id: report.tagId,
    date: report.date,
    status: step.status,
    actor_id: report[step.by].accountId,
    at: `${formatLocalDate(addDays(report.day, step.after))}T${step.time}:00`,
    reason: step.reason ?? null,
  };
}
