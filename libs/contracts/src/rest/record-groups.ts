/** The parameters of a list of records in addition to `ids`, `limit` and `offset` (spec, General conventions 5). */
export interface RecordGroupList {
  /** Fields of `order`; ties are broken by the default order, which ends with the id. */
  readonly order: readonly string[];
  /** Description for the API reference. */
  readonly defaultOrder: string;
  /** The other supported parameters; all others are ignored. */
  readonly takes: readonly ('employee_ids' | 'daterange' | 'q' | 'archived')[];
  /** Description of what `daterange` selects. */
  readonly daterange?: string;
  /** Description of what `q` searches. */
  readonly q?: string;
}

/** Values of `archived`. */
export const archivedChoices = ['true', 'false', 'all'] as const;

const touching = 'records that overlap the range';
const ofEmployees = ['employee_ids', 'daterange'] as const;

/** The read-only groups of the API, by name. */
export const recordGroups = {
  employees: {
    order: ['last_name', 'first_name', 'number', 'hired_on'],
    defaultOrder: 'last name, first name, number, id',
    takes: ['employee_ids', 'q', 'archived'],
    q: 'names, numbers and email',
  },
  groups: { order: ['name'], defaultOrder: 'name, id', takes: ['q'], q: 'name and cost center' },
  projects: {
    order: ['name', 'code'],
    defaultOrder: 'name, id',
    takes: ['q', 'archived'],
    q: 'name, code, client, address and cost center',
  },
  contracts: {
    order: ['valid_from'],
    defaultOrder: 'start of validity, employee id, id',
    takes: ofEmployees,
    daterange: 'contracts that are valid on at least one day of the range',
  },
  workdays: {
    order: ['date'],
    defaultOrder: 'date, employee id, id',
    takes: ofEmployees,
    daterange: 'workdays whose date is in the range',
  },
  workmonths: { order: ['month'], defaultOrder: 'year and month, employee id', takes: ofEmployees, daterange: touching },
  timespans: {
    order: ['date'],
    defaultOrder: 'date of the workday, employee id, start, id',
    takes: ofEmployees,
    daterange: 'timespans of workdays whose date is in the range',
  },
  absences: { order: ['starts_on'], defaultOrder: 'first day, employee id, id', takes: ofEmployees, daterange: touching },
  'absence-applications': {
    order: ['starts_on', 'created_at'],
    defaultOrder: 'first day, employee id, id',
    takes: ofEmployees,
    daterange: touching,
  },
  institutions: { order: ['name'], defaultOrder: 'name, id', takes: [] },
  managers: {
    order: ['last_name', 'first_name', 'email'],
    defaultOrder: 'last name, first name, email, id',
    takes: ['q'],
    q: 'names and email',
  },
} as const satisfies Readonly<Record<string, RecordGroupList>>;

/** The name of a group of records. */
export type RecordGroupName = keyof typeof recordGroups;
