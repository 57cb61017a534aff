import type { z } from 'zod';
import { firstProblem } from './problem.js';

/** The kinds of records that this service owns, in the order in which they refer to each other: none names a later one. */
export const kindNames = [
  'institution',
  'department',
  'project',
  'account',
  'employee',
  'contract',
  'workmonth',
  'workday',
  'absence',
  'absence_application',
] as const;

export type KindName = (typeof kindNames)[number];

/** What a record may name: another record of its institution, or one of the institution's absence types. */
export type ReferencedKind = 'institution' | 'department' | 'project' | 'account' | 'employee' | 'absence_type';

export interface Reference {
  readonly field: string;
  readonly kind: ReferencedKind;
  readonly id: string;
}

/** The fields of a record as they are stored: dates as days since 1970-01-01, instants as `Date`, what was left out as null. */
export type Fields = Readonly<Record<string, unknown>>;

/** Which month of which employee tracked time belongs to. */
export interface Placement {
  readonly employeeId: string;
  readonly year: number;
  readonly month: number;
}

export interface Content {
  readonly fields: Fields;
  readonly references: readonly Reference[];
  /** Only of kinds that lie in months. */
  readonly placement?: Placement;
}

/** A record that is acceptable by itself, or why it is not. */
export type Judged = { readonly content: Content } | { readonly reason: string };

/** One kind of record: how a line of it is judged by itself. */
export interface Kind {
  readonly name: KindName;
  judge(line: object): Judged;
}

interface KindDefinition<F extends Fields> {
  readonly name: KindName;
  readonly schema: z.ZodType<F>;
  /** The first way in which the record contradicts itself, as a sentence. */
  readonly contradiction?: (fields: F) => string | undefined;
  readonly references?: (fields: F) => readonly Reference[];
  readonly placement?: (fields: F) => Placement;
}

export function defineKind<F extends Fields>(definition: KindDefinition<F>): Kind {
  const { name, schema, contradiction, references, placement } = definition;
  return {
    name,
    judge(line) {
      const parsed = schema.safeParse(line);
      if (!parsed.success) return { reason: firstProblem(parsed.error) };
      const fields = parsed.data;
      const reason = contradiction?.(fields);
      if (reason !== undefined) return { reason };
      return { content: { fields, references: references?.(fields) ?? [], ...(placement && { placement: placement(fields) }) } };
    },
  };
}
