import { addDays, calendarDate, epochDay, monthOf, type Employment, type EpochDay } from '@stechuhr/worktime';
import type { Firm } from './firm.js';
import { asciiOf, nameAt, type FullName } from './names.js';
import { posts, type Post } from './posts.js';
import { at, createRandom } from './random.js';

/** A current or former employee of the company. */
export interface Person {
  /** Identifies the person in ids and random keys; never shown. */
  readonly key: string;
  readonly post: Post;
  /** The repetition of the pattern of posts, from 0. */
  readonly block: number;
  readonly name: FullName;
  readonly email: string | null;
  readonly number: string;
  readonly accountingNumber: string | null;
  readonly employment: Employment;
  /** Whether the employment is temporary, so that its end is no dismissal, and the account begins and ends at 0. */
  readonly isLimited: boolean;
}

interface Holder {
  readonly key: string;
  readonly number: string;
  readonly accountingNumber: string;
  readonly employment: Employment;
  /** Position in the pool of names. */
  readonly position: number;
}

/** Temporary jobs last four months from 1 March, July or November; apprenticeships last three years from 1 September. */
const TERMS_PER_YEAR = 3;
const APPRENTICESHIP_YEARS = 3;

/**
 * Returns the employee at an index of the payroll as of a day. The holder of a post depends only on the calendar, never on the number of
 * employees, so that later or larger runs contain the same people.
 */
export function personAt(firm: Firm, index: number, today: EpochDay): Person {
  const post = at(posts, index);
  const block = Math.floor(index / posts.length);
  const holder = holderOf({ firm, post, block, index, today });
  const name = nameOf(firm, post, block, holder.position);
  return {
    ...holder,
    post,
    block,
    name,
    email: hasEmail(firm, post, holder.key)
      ? `${asciiOf(name.first)}.${asciiOf(name.last)}${block > 0 ? block + 1 : ''}@${firm.mailDomain}`
      : null,
    accountingNumber: post.trait === 'no-accounting-number' ? null : holder.accountingNumber,
    isLimited: post.tenure !== 'permanent',
  };
}

interface Question {
  readonly firm: Firm;
  readonly post: Post;
  readonly block: number;
  readonly index: number;
  readonly today: EpochDay;
}

function holderOf(question: Question): Holder {
  switch (question.post.tenure) {
    case 'permanent':
      return permanent(question);
    case 'apprentice':
      return apprentice(question);
    case 'temporary':
      return temporary(question);
  }
}

/** First and last year in which permanent employees and students were hired; nobody studies for decades. */
const PERMANENT_YEARS = [1996, 2021] as const;
const STUDENT_YEARS = [2023, 2025] as const;

function permanent({ firm, index, block, post }: Question): Holder {
  const key = `p${index}`;
  const random = createRandom(firm.seed, 'hired', key);
  const [from, to] = post.agreement === 'student' ? STUDENT_YEARS : PERMANENT_YEARS;
  return {
    key,
    number: String(1001 + index),
    accountingNumber: String(10_001 + index),
    employment: { hiredOn: epochDay(random.int(from, to), random.int(1, 12), 1), leftOn: null },
    position: positionOf(firm, post, block),
  };
}

function apprentice({ firm, block, today, post }: Question): Holder {
  const { year, month } = monthOf(today);
  const schoolYear = month >= 9 ? year : year - 1;
  const cohort = schoolYear - (((schoolYear % APPRENTICESHIP_YEARS) + block) % APPRENTICESHIP_YEARS);
  return {
    key: `a${cohort}-${block}`,
    number: `Z${cohort}${pad(block)}`,
    accountingNumber: `9${cohort}${pad(block)}`,
    employment: { hiredOn: epochDay(cohort, 9, 1), leftOn: addDays(epochDay(cohort + APPRENTICESHIP_YEARS, 9, 1), -1) },
    position: positionOf(firm, post, block) + 7 * cohort,
  };
}

function temporary({ firm, block, today, post }: Question): Holder {
  const term = termOf(today) - (post.predecessor ?? 0);
  const label = `${Math.floor(term / TERMS_PER_YEAR)}${(term % TERMS_PER_YEAR) + 1}`;
  return {
    key: `t${label}-${block}`,
    number: `H${label}${pad(block)}`,
    accountingNumber: `8${label}${pad(block)}`,
    employment: { hiredOn: termStart(term), leftOn: addDays(termStart(term + 1), -1) },
    position: positionOf(firm, post, block) + 11 * term,
  };
}

/** Returns the number of the four-month term of a day. */
function termOf(day: EpochDay): number {
  const { year, month } = calendarDate(day);
  return year * TERMS_PER_YEAR + Math.floor((month - 3) / 4);
}

function termStart(term: number): EpochDay {
  return epochDay(Math.floor(term / TERMS_PER_YEAR), 3 + 4 * (term % TERMS_PER_YEAR), 1);
}

/** Allows a thousand repetitions of the pattern without conflicting numbers. */
function pad(block: number): string {
  return String(block).padStart(3, '0');
}

/** Posts with the same origin and sex have consecutive positions, so that the pool of names is used up before it repeats. */
function positionOf(firm: Firm, post: Post, block: number): number {
  const kin = posts.filter((other) => other.origin === post.origin && other.female === post.female);
  return createRandom(firm.seed, 'names', post.origin).int(0, 9999) + block * kin.length + kin.indexOf(post);
}

function nameOf(firm: Firm, post: Post, block: number, position: number): FullName {
  const drawn = nameAt(post.origin, post.female === true, position);
  if (block > 0) return drawn;
  if (post.trait === 'owner') return { first: drawn.first, last: firm.family };
  return post.name ?? drawn;
}

/** Everybody who logs in has an email address; of the site workers, every second one. */
function hasEmail(firm: Firm, post: Post, key: string): boolean {
  const logsIn = post.role !== undefined || post.trade === 'office' || post.trade === 'management';
  return logsIn || createRandom(firm.seed, 'email', key).chance(0.5);
}
