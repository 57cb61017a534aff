import type { FullName } from './names.js';
import type { Origin } from './words/people.js';

/** The field of work, which determines hours, breaks, projects and comments. */
export type Trade = 'office' | 'management' | 'building' | 'civil';

/** The agreement about working time. */
export type Agreement = 'full-time' | 'three-quarters' | 'mornings' | 'site' | 'student';

/** How long people hold a post: permanently, for an apprenticeship, or for four months. */
export type Tenure = 'permanent' | 'apprentice' | 'temporary';

/** One of the 25 posts of the pattern, which repeats with every further 25 employees. */
export interface Post {
  readonly position: string;
  /** The position in further repetitions of the pattern, if a company needs only one of the kind. */
  readonly furtherPosition?: string;
  readonly female?: true;
  readonly origin: Origin;
  readonly trade: Trade;
  readonly department: 'office' | 'building' | 'civil';
  readonly agreement: Agreement;
  readonly tenure: Tenure;
  /** 0 is the current holder of the post, 1 the previous one, 2 the one before. */
  readonly predecessor?: 1 | 2;
  readonly role?: 'admin' | 'manager' | 'department_leader';
  /** Whether the person clocks out at noon: two workdays on one date, with the gap as break. */
  readonly clocksOut?: true;
  readonly licence?: 'B' | 'CE';
  /** The name of the first holder, in the first pattern. */
  readonly name?: FullName;
  /** The special case that this person demonstrates. */
  readonly trait?: Trait;
}

export type Trait =
  'no-accounting-number' | 'owner' | 'long-hours' | 'disabled' | 'asks-every-month' | 'waits-for-answer' | 'some-projects';

const office = {
  trade: 'office',
  department: 'office',
  agreement: 'full-time',
  tenure: 'permanent',
  female: true,
  origin: 'german',
} as const;
const management = { trade: 'management', agreement: 'full-time', tenure: 'permanent', licence: 'B' } as const;
const building = { trade: 'building', department: 'building', agreement: 'site', tenure: 'permanent', origin: 'german' } as const;
const civil = { trade: 'civil', department: 'civil', agreement: 'site', tenure: 'permanent', origin: 'german' } as const;
const owner = { position: 'Geschäftsführerin', furtherPosition: 'Abteilungsleiterin' } as const;
const roadManager = {
  position: 'Bauleiter Tiefbau',
  origin: 'western',
  department: 'civil',
  name: { first: 'Patrick', last: "O'Brien" },
} as const;
const student = { trade: 'office', department: 'building', agreement: 'student', tenure: 'permanent' } as const;
const helper = { ...building, position: 'Bauhelfer', origin: 'southeastern', agreement: 'full-time', tenure: 'temporary' } as const;

export const posts: readonly Post[] = [
  { ...office, ...management, ...owner, role: 'admin', trait: 'owner' },
  {
    ...office,
    position: 'Lohnbuchhalterin',
    furtherPosition: 'Sachbearbeiterin',
    agreement: 'three-quarters',
    role: 'manager',
    clocksOut: true,
  },
  {
    ...management,
    position: 'Bauleiter Hochbau',
    origin: 'german',
    department: 'building',
    role: 'department_leader',
    trait: 'long-hours',
  },
  { ...management, ...roadManager, role: 'department_leader', trait: 'some-projects', clocksOut: true },
  { ...building, position: 'Polier', role: 'department_leader', licence: 'B', name: { first: 'Jürgen', last: 'Müller' } },
  { ...building, position: 'Maurer', origin: 'polish', name: { first: 'Łukasz', last: 'Kowalczyk' } },
  { ...building, position: 'Maurer', clocksOut: true },
  { ...building, position: 'Maurerin', female: true, trait: 'asks-every-month' },
  { ...building, position: 'Betonbauer', origin: 'turkish', name: { first: 'Mehmet', last: 'Yılmaz' } },
  { ...building, position: 'Betonbauer', origin: 'southeastern' },
  { ...building, position: 'Zimmerer', clocksOut: true },
  { ...building, position: 'Kranführerin', female: true, trait: 'waits-for-answer' },
  { ...civil, position: 'Vorarbeiter Tiefbau', role: 'department_leader', licence: 'CE' },
  { ...civil, position: 'Baggerfahrer', clocksOut: true, licence: 'CE' },
  { ...civil, position: 'Straßenbauer', origin: 'turkish' },
  { ...civil, position: 'Straßenbauer', trait: 'disabled' },
  { ...civil, position: 'Rohrleitungsbauerin', female: true, origin: 'polish' },
  { ...civil, position: 'Lkw-Fahrer', clocksOut: true, licence: 'CE' },
  { ...civil, position: 'Bauhelfer (Leihkraft)', origin: 'southeastern', trait: 'no-accounting-number' },
  { ...building, position: 'Auszubildender Maurer', tenure: 'apprentice' },
  { ...student, position: 'Werkstudentin Bauingenieurwesen', female: true, origin: 'turkish' },
  { ...office, position: 'Bürokauffrau', agreement: 'mornings', role: 'manager' },
  helper,
  { ...helper, predecessor: 1 },
  { ...helper, predecessor: 2 },
];
