import { idOf, type Firm } from '../firm.js';
import { createRandom, type Random } from '../random.js';
import type { ReportEntryRecord } from '../records.js';
import { reportWords } from '../words/reports.js';
import type { ReportDay } from './report-days.js';
import { weatherOf } from './weather.js';

/** The individual parts of an entry. */
interface Draft {
  readonly fieldId: string;
  /** Local time at which it was written. */
  readonly time: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly authorId?: string;
  readonly onBehalfOfId?: string;
  readonly burned?: true;
  /** Distinguishes it from other entries of the same field and time; its values by default. */
  readonly name?: string;
}

/**
 * Returns the entries that people wrote for a day. Hours and activities are derived from time tracking; photos are added when they can be
 * uploaded.
 */
export function entryRecords(firm: Firm, report: ReportDay): readonly ReportEntryRecord[] {
  const random = createRandom(firm.seed, 'report', report.tagId, report.day);
  const drafts = [...weather(firm, report), ...ownHours(report, random), ...subcontractors(report, random), ...texts(report, random)];
  return drafts.map((draft) => entryRecord(firm, report, draft));
}

/** Creates an entry of a report. */
export function entryRecord(firm: Firm, report: ReportDay, draft: Draft): ReportEntryRecord {
  const { fieldId, values, burned = false, authorId = report.foreman.accountId, onBehalfOfId = null } = draft;
  const at = `${report.date}T${draft.time}:00`;
  return {
    kind: 'daily_report_entry',
    institution_id: firm.institutionId,
    id: entryId(firm, report, draft),
    date: report.date,
    tag_id: report.tagId,
    field_id: fieldId,
    author_id: authorId,
    on_behalf_of_id: onBehalfOfId,
    burned,
    submitted_at: at,
    created_at: at,
    modified_at: at,
    ...values,
  };
}

function entryId(firm: Firm, { tagId, date }: ReportDay, { fieldId, time, values, name = JSON.stringify(values) }: Draft): string {
  return idOf(firm, `report-entry/${tagId}/${date}/${fieldId}/${time}/${name}`);
}

function weather(firm: Firm, { day }: ReportDay): readonly Draft[] {
  return ['07:00', '12:00', '17:00'].map((time) => ({ fieldId: 'weather', time, values: { time, ...weatherOf(firm, day, time) } }));
}

/** Hours that a foreman entered after forgetting to clock out; time tracking does not change them. */
function ownHours({ foreman }: ReportDay, random: Random): readonly Draft[] {
  const hours = random.pick([8.5, 9, 9.5]);
  if (!random.chance(0.3)) return [];
  return [{ fieldId: 'employee-working-times', time: '16:50', values: { hours }, onBehalfOfId: foreman.employeeId }];
}

function subcontractors({ trade }: ReportDay, random: Random): readonly Draft[] {
  return some(reportWords[trade].subcontractors, random, 2).map(({ name, work }) => {
    const employees = random.int(1, 5);
    const values = { name, employees, hours: employees * random.int(4, 9), comment: work };
    return { fieldId: 'subcontractors', time: '16:10', values };
  });
}

function texts({ trade, approver }: ReportDay, random: Random): readonly Draft[] {
  const words = reportWords[trade];
  const lines = (fieldId: string, time: string, values: readonly string[]): Draft[] =>
    values.map((value) => ({ fieldId, time, values: { value } }));
  const [last, ...others] = some(words.comments, random, 3);
  const withdrawn: Draft[] = last === undefined ? [] : [{ fieldId: 'comments', time: '16:45', values: { value: last }, burned: true }];
  const visit: Draft[] = random.chance(0.25)
    ? [{ fieldId: 'comments', time: '15:05', values: { value: 'Baustelle besucht, alles im Plan.' }, authorId: approver.accountId }]
    : [];
  return [
    ...lines('materials', '16:15', some(words.materials, random, 3, 1)),
    ...lines('deliveries', '10:30', some(words.deliveries, random, 2)),
    ...lines('comments', '16:20', last === undefined ? others : [...others, last]),
    // Occasionally a remark is withdrawn.
    ...(random.chance(0.2) ? withdrawn : []),
    ...visit,
  ];
}

/** Selects some different items at random, in the order of the list. */
function some<T>(items: readonly T[], random: Random, max: number, min = 0): readonly T[] {
  const count = random.int(min, max);
  const drawn = items.map((item) => ({ item, rank: random.next() }));
  const limit = drawn.map(({ rank }) => rank).sort((a, b) => a - b)[count] ?? 1;
  return drawn.filter(({ rank }) => rank < limit).map(({ item }) => item);
}
