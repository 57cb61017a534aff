import { buildTimespan, buildWorkday } from '@stechuhr/testing';
import { call } from '../support/http.js';
import { Organization } from '../support/organization.js';
import type { Stage } from './stage.js';

/** The number from which institution ids are derived. */
const FIRST_NUMBER = 0xfa;
const ADMIN = 1;
const EMPLOYEES = 3;
/** A Monday. */
const FIRST_DAY = Date.UTC(2026, 1, 2);
const DAYS = 28;
const DAY_MS = 86_400_000;
/** A comment of the maximum length. */
export const LONG_COMMENT = 'Schalung ausgerichtet und betoniert. '.repeat(300).slice(0, 10_000).trimEnd();

/** The part of the firm that one scenario uses exclusively. */
export interface Slot {
  /** A unique word in every text of the scenario. */
  readonly word: string;
  /** An employee with working time on the project on every day. */
  readonly worker: string;
  /** Employees for absence rules and suppressions. */
  readonly staff: readonly string[];
  readonly project: string;
  /** Days with working time on the project. */
  readonly days: readonly string[];
  /** Returns an unused number for a record id. */
  next(): number;
}

/** An institution that receives all of its events as webhooks. */
export interface Subscriber {
  readonly institutionId: string;
  /** Path at the receiver of the stage. */
  readonly path: string;
  readonly secret: string;
}

/** An institution in which every scenario has a slot, and a neighbouring institution. */
export class Firm {
  private readonly org: Organization;
  private readonly other: Organization;
  private used = 0;
  token = '';
  subscribers: readonly Subscriber[] = [];

  readonly institutionId: string;
  readonly neighbourId: string;

  private constructor(
    private readonly slots: number,
    number: number,
  ) {
    this.org = new Organization(FIRST_NUMBER + 2 * number);
    this.other = new Organization(FIRST_NUMBER + 2 * number + 1);
    this.institutionId = this.org.id(0);
    this.neighbourId = this.other.id(0);
  }

  /**
   * Imports a firm and issues a token.
   * @param slots number of slots
   * @param number of the firm on its stage; each firm has its own institutions
   */
  static async open(stage: Stage, slots: number, number = 0): Promise<Firm> {
    const firm = new Firm(slots, number);
    await stage.importLines([...firm.lines(), firm.other.institution(), firm.other.account(ADMIN, 'admin')]);
    const tokens = await Promise.all([firm.org, firm.other].map((org) => stage.issueToken(org.id(ADMIN))));
    firm.token = tokens[0] ?? '';
    firm.subscribers = await Promise.all([
      subscribe(stage, { institutionId: firm.institutionId, path: `/firm/${String(number)}`, token: tokens[0] ?? '' }),
      subscribe(stage, { institutionId: firm.neighbourId, path: `/neighbour/${String(number)}`, token: tokens[1] ?? '' }),
    ]);
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

  /** Returns a version of a project of the neighbouring institution, with a different name. */
  neighbourLine(version: number): Line & { readonly name: string } {
    return { ...this.other.project(2, 'N-1'), name: `Neighbour ${String(version)}` };
  }

  get isUsedUp(): boolean {
    return this.used === this.slots;
  }

  /** Returns the next slot. @throws Error if all are used */
  take(): Slot {
    if (this.isUsedUp) throw new Error(`All ${String(this.slots)} slots of the firm are used.`);
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

  /** Returns a new employee with a comment of the maximum length on each day. */
  wordyLines(slot: Slot): { readonly id: string; readonly lines: readonly object[] } {
    const number = slot.next();
    const shifts = slot.days.map((date) => {
      return this.org.shift(slot.next(), number, { date, start: '08:00', end: '14:00', comment: LONG_COMMENT });
    });
    return { id: this.id(number), lines: [this.org.employee(number, 'Kim', slot.word), ...shifts] };
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

/** A line of an import, or a live object. */
export interface Line {
  readonly kind: string;
  readonly id: string;
}

async function subscribe(
  stage: Stage,
  { institutionId, path, token }: Omit<Subscriber, 'secret'> & { token: string },
): Promise<Subscriber> {
  const body = JSON.stringify({ url: `${stage.receiver.origin}${path}` });
  const answer = await call(`${stage.baseUrl}/webhooks/`, {
    method: 'POST',
    token,
    body,
    headers: { 'content-type': 'application/json' },
  });
  if (answer.status !== 201) throw new Error(`No webhook was created: ${answer.text}`);
  return { institutionId, path, secret: (answer.json as { readonly secret: string }).secret };
}

const baseOf = (slot: number): number => slot * 0x10_000;

const days = (): readonly string[] =>
  Array.from({ length: DAYS }, (_, day) => new Date(FIRST_DAY + day * DAY_MS).toISOString().slice(0, 10));
