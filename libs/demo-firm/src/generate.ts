import { addDays, monthOf, type EpochDay, type Terms } from '@stechuhr/worktime';
import { absenceRecord, absencesBetween, daysOf, type KnownAbsence } from './absences.js';
import { applicationRecords } from './applications.js';
import { contractRecord, contractsOf } from './contracts.js';
import { departmentRecords } from './departments.js';
import { accountId, accountRecord, employeeId, employeeRecord } from './employees.js';
import { createFirm, idOf, institutionRecord, type Firm } from './firm.js';
import { createMonthPlanner, monthIndex, rangeOfMonth } from './month-plan.js';
import { personAt, type Person } from './people.js';
import { posts } from './posts.js';
import { projectRecords, sitesOf } from './projects.js';
import type { DemoRecord } from './records.js';
import { entryRecords } from './reports/entries.js';
import { formRecords } from './reports/forms.js';
import { photosOf, type Photo } from './reports/photos.js';
import { ReportDays, type ReportDay } from './reports/report-days.js';
import { signatureRecords } from './reports/signatures.js';
import { statusRecords } from './reports/statuses.js';
import { workdayRecords, type AsOf, type WorkdaySource } from './workdays.js';

export interface DemoOptions extends AsOf {
  /** Any text; each seed gives a different company. */
  readonly seed: string;
  readonly employees: number;
  /** Minimum number of months of tracked time, from the first of a month until today. */
  readonly months: number;
}

export interface Demo {
  readonly institutionId: string;
  /** The administrator, whose account the demo token uses. */
  readonly accountId: string;
  /** All records, generated while they are read. */
  readonly records: Iterable<DemoRecord>;
  /** Returns the days with reports, and their photos; only complete after all records have been read. */
  reports(): { readonly days: readonly ReportDay[]; readonly photos: readonly Photo[] };
}

/** Number of days for which future contracts and absences are known. */
const AHEAD_DAYS = 120;
/** Neighbouring months are planned, too, because the balance of the overtime account is carried over. */
const MARGIN_DAYS = 62;

/** Generates the demo organization of a seed as of a day. The same options give the same records, byte for byte. */
export function generateDemo(options: DemoOptions): Demo {
  const firm = createFirm(options.seed);
  const reportDays = new ReportDays(firm, options.today);
  return {
    institutionId: firm.institutionId,
    accountId: accountId(firm, personAt(firm, 0, options.today)),
    records: watched(reportDays, recordsOf(firm, options), () => reportRecords(firm, reportDays.list())),
    reports: () => ({ days: reportDays.list(), photos: reportDays.list().flatMap((day) => photosOf(firm, day)) }),
  };
}

/** Yields the records, then the reports that are derived from the tracked time. */
function* watched(days: ReportDays, records: Iterable<DemoRecord>, followers: () => Iterable<DemoRecord>): Generator<DemoRecord> {
  for (const record of records) {
    days.watch(record);
    yield record;
  }
  yield* followers();
}

function* reportRecords(firm: Firm, days: readonly ReportDay[]): Generator<DemoRecord> {
  yield* formRecords(firm);
  for (const day of days) {
    yield* entryRecords(firm, day);
    yield* signatureRecords(firm, day);
  }
  for (const day of days) yield* statusRecords(firm, day);
}

function* recordsOf(firm: Firm, options: DemoOptions): Generator<DemoRecord> {
  const blocks = Math.ceil(options.employees / posts.length);
  yield institutionRecord(firm);
  yield* departmentRecords(firm, blocks);
  yield* projectRecords(firm, blocks);
  for (let index = 0; index < options.employees; index++) yield* recordsOfPerson(firm, personAt(firm, index, options.today), options);
}

function* recordsOfPerson(firm: Firm, person: Person, options: DemoOptions): Generator<DemoRecord> {
  const { today } = options;
  const shown = { first: firstShownDay(options), last: addDays(today, AHEAD_DAYS) };
  const planned = { first: addDays(shown.first, -MARGIN_DAYS), last: shown.last };
  const account = accountRecord(firm, person);
  const id = employeeId(firm, person);
  const contracts = contractsOf(firm, person, planned.first, planned.last);
  const absences = absencesBetween(firm, person, planned.first, planned.last);
  if (account !== null) yield account;
  yield employeeRecord(firm, person, today);
  for (const contract of contracts) {
    if (contract.validTo === null || contract.validTo >= shown.first) yield contractRecord(firm, id, contract);
  }
  for (const absence of absences) {
    if (absence.endsOn >= shown.first && isKnown(absence, today)) yield absenceRecord(firm, id, absence);
  }
  yield* applicationRecords(firm, person, absences, { ...shown, today });
  const terms: Terms = { employment: person.employment, contracts, holidays: firm.holidays };
  const source = { firm, person, employeeId: id, sites: sitesOf(firm, person.block), asOf: options };
  yield* trackedTime(source, terms, absences, shown.first);
}

/** Yields months in order, each with its days, so that the records of one stored document are consecutive. */
function* trackedTime(source: WorkdaySource, terms: Terms, absences: readonly KnownAbsence[], firstShown: EpochDay): Generator<DemoRecord> {
  const { firm, person, employeeId: id, asOf } = source;
  const planMonth = createMonthPlanner({ firm, person, terms, absentPart: absentParts(absences) }, absences);
  const { hiredOn, leftOn } = person.employment;
  const last = Math.min(asOf.today, leftOn ?? asOf.today);
  for (let index = indexOf(Math.max(firstShown, hiredOn)); rangeOfMonth(index).first <= last; index++) {
    const plan = planMonth(index);
    const [year, month] = [Math.floor(index / 12), (index % 12) + 1];
    yield {
      kind: 'workmonth',
      institution_id: firm.institutionId,
      id: idOf(firm, `workmonth/${person.key}/${year}-${month}`),
      employee_id: id,
      year,
      month,
      opening_balance_minutes: plan.openingMinutes,
    };
    for (const day of plan.days) yield* workdayRecords(source, day);
  }
}

function firstShownDay({ today, months }: DemoOptions): EpochDay {
  const { first } = rangeOfMonth(indexOf(today) - months);
  return first;
}

function indexOf(day: EpochDay): number {
  const { year, month } = monthOf(day);
  return monthIndex(year, month);
}

/** Illness is known when it begins, a vacation when it is approved. */
function isKnown({ knownOn, startsOn }: KnownAbsence, today: EpochDay): boolean {
  return knownOn < today || startsOn <= today;
}

function absentParts(absences: readonly KnownAbsence[]): ReadonlyMap<EpochDay, number> {
  const parts = new Map<EpochDay, number>();
  for (const absence of absences) {
    for (const day of daysOf(absence)) parts.set(day, Math.max(absence.dayPart, parts.get(day) ?? 0));
  }
  return parts;
}
