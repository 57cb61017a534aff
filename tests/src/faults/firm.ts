import { buildTimespan, buildWorkday } from '@stechuhr/testing';
import { Organization } from '../support/organization.js';
import type { Stage } from './stage.js';

const ADMIN = 1;
const EMPLOYEES = 3;
/** A Monday. */
const FIRST_DAY = Date.UTC(2026, 1, 2);
const DAYS = 28;
const DAY_MS = 86_400_000;

/** The part of the firm with which one scenario works: no other touches it. */
export interface Slot {
  /** Stands in every text of the scenario. */
  readonly word: string;
  /** Who has worked on the project every day. */
  readonly worker: string;
  /** Who is there for rules and suppressions. */
  readonly staff: readonly string[];
  readonly project: string;
  /** Days with time tracked on the project. */
  readonly days: readonly string[];
  /** A number of a record that nobody has used. */
  next(): number;
}

/** One institution of which every scenario has a slot. */
export class Firm {
  private readonly org = new Organization(0xfa);
  private used = 0;
  token = '';

  readonly institutionId = this.org.id(0);

  private constructor(private readonly slots: number) {}

  /** Imports a firm with so many slots and issues a token. */
  static async open(stage: Stage, slots: number): Promise<Firm> {
    const firm = new Firm(slots);
    await stage.importLines(firm.lines());
    firm.token = await stage.issueToken(firm.org.id(ADMIN));
    return firm;
  }

  id(n: number): string {
    return this.org.id(n);
  }

  employee(n: number, word: string): Line {
    return this.org.employee(n, 'Kim', word, { email: `${word.toLowerCase()}@example.org` });
  }

  projectLine(n: number, name: string): Line & { readonly name: string } {
    return { ...this.org.project(n, `P-${String(n)}`), name };
  }

  /** The next slot. @throws when all were used */
  take(): Slot {
    if (this.used === this.slots) throw new Error(`The firm has ${String(this.slots)} slots only.`);
    const slot = ++this.used;
    let number = baseOf(slot) + 0x1000;
    return {
      word: `Slot${String(slot)}x`,
      worker: this.id(baseOf(slot)),
      staff: Array.from({ length: EMPLOYEES }, (_, n) => this.id(baseOf(slot) + n)),
      project: this.id(baseOf(slot) + 0x100),
      days: days(),
      next: () => number++,
    };
  }

  private lines(): object[] {
    const shared = [this.org.institution(), this.org.account(ADMIN, 'admin')];
    return [...shared, ...Array.from({ length: this.slots }, (_, slot) => this.slotLines(baseOf(slot + 1))).flat()];
  }

  private slotLines(base: number): object[] {
    const staff = Array.from({ length: EMPLOYEES }, (_, n) => this.org.employee(base + n, 'Kim', `Nr${String(base + n)}`));
    const project = this.org.project(base + 0x100, `S-${String(base)}`);
    const shifts = days().map((date, day) => {
      const times = { started_at: `${date}T08:00:00`, ended_at: `${date}T14:00:00` };
      const ids = { id: this.id(base + 0x200 + day), institution_id: this.institutionId, employee_id: this.id(base) };
      const timespans = [buildTimespan({ ...times, id: this.id(base + 0x300 + day), project_id: project.id, comment: null })];
      return buildWorkday({ ...ids, date, ...times, timespans });
    });
    return [...staff, project, ...shifts];
  }
}

/** A line of an import, and what a live object is. */
export interface Line {
  readonly kind: string;
  readonly id: string;
}

const baseOf = (slot: number): number => slot * 0x10_000;

const days = (): readonly string[] =>
  Array.from({ length: DAYS }, (_, day) => new Date(FIRST_DAY + day * DAY_MS).toISOString().slice(0, 10));
