import { addDays, formatLocalDate, type EpochDay } from '@stechuhr/worktime';
import { accountId, employeeId } from '../employees.js';
import type { Firm } from '../firm.js';
import { personAt } from '../people.js';
import { reportedSites } from '../projects.js';
import type { DemoRecord, WorkdayRecord } from '../records.js';

/** A person with an account. */
interface Signer {
  readonly accountId: string;
  readonly employeeId: string;
}

/** A day on a site with a report, and the people involved. */
export interface ReportDay {
  readonly tagId: string;
  readonly trade: 'building' | 'civil';
  readonly day: EpochDay;
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** The author and the approver. */
  readonly foreman: Signer;
  readonly approver: Signer;
  /** Age in days. */
  readonly age: number;
}

/** Number of days before today with reports. */
const REPORTED_DAYS = 10;
/** Minimum number of people on site for a report. */
const CREW = 3;
/** The posts of the foremen in the first repetition of the pattern. */
const FOREMEN = { building: 4, civil: 12 } as const;

/** Determines from the generated records which days have reports: those on which a crew was on a site. */
export class ReportDays {
  private readonly crews = new Map<string, Set<string>>();
  private readonly accounts = new Set<string>();
  private readonly first: string;
  private readonly last: string;

  constructor(
    private readonly firm: Firm,
    private readonly today: EpochDay,
  ) {
    this.first = formatLocalDate(addDays(today, -REPORTED_DAYS));
    this.last = formatLocalDate(addDays(today, -1));
  }

  watch(record: DemoRecord): void {
    if (record.kind === 'account') this.accounts.add(record.id);
    if (record.kind === 'workday' && record.date >= this.first && record.date <= this.last) this.watchWorkday(record);
  }

  /** Returns the days with reports, sorted by date, then site. */
  list(): readonly ReportDay[] {
    const sites = reportedSites(this.firm);
    const approver = this.signerAt(0);
    return Array.from({ length: REPORTED_DAYS }, (_, index) => addDays(this.today, index - REPORTED_DAYS)).flatMap((day) =>
      (['building', 'civil'] as const).flatMap((trade) =>
        sites[trade].flatMap((tagId) => this.reportOf({ tagId, trade, day, approver, age: this.today - day })),
      ),
    );
  }

  private signerAt(index: number): Signer {
    const person = personAt(this.firm, index, this.today);
    return { accountId: accountId(this.firm, person), employeeId: employeeId(this.firm, person) };
  }

  private watchWorkday({ date, employee_id, timespans }: WorkdayRecord): void {
    for (const { type, project_id } of timespans) {
      if (type !== 'work' || project_id === null) continue;
      const key = `${project_id}|${date}`;
      const crew = this.crews.get(key) ?? new Set();
      this.crews.set(key, crew.add(employee_id));
    }
  }

  private reportOf(report: Omit<ReportDay, 'date' | 'foreman'>): readonly ReportDay[] {
    const foreman = this.signerAt(FOREMEN[report.trade]);
    const date = formatLocalDate(report.day);
    const crew = this.crews.get(`${report.tagId}|${date}`)?.size ?? 0;
    return crew >= CREW && this.accounts.has(foreman.accountId) ? [{ ...report, date, foreman }] : [];
  }
}
