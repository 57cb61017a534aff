import * as ingest from '@stechuhr/ingest/kinds';

/** The kinds of records that this service owns. A kind refers only to kinds that precede it in this list. */
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

/** The fields of a record as they are stored: dates as days since 1970-01-01, instants as `Date`, missing values as null. */
export type Fields = Readonly<Record<string, unknown>>;

/** The month and the employee to which tracked time belongs. */
export interface Placement {
  readonly employeeId: string;
  readonly year: number;
  readonly month: number;
}

export interface Content extends ingest.Content<Fields> {
  /** Only set for kinds that are stored inside months. */
  readonly placement?: Placement;
}

/** The data of a record's events besides its id: the employee and the days. */
export type Announced = Readonly<Record<string, string | number>>;

export interface Kind extends ingest.Kind<Content> {
  readonly name: KindName;
  /** Returns the event data for stored fields. */
  readonly announced: (fields: Fields) => Announced;
}

export type Change = ingest.Change<Content, KindName>;

interface KindDefinition<F extends Fields> extends ingest.KindDefinition<F> {
  readonly name: KindName;
  readonly placement?: (fields: F) => Placement;
  /** For kinds that belong to an employee. The default is no data besides the id. */
  readonly announced?: (fields: F) => Announced;
}

const nothing = (): Announced => ({});

export function defineKind<F extends Fields>({ placement, announced = nothing, ...definition }: KindDefinition<F>): Kind {
  const { judge, ...kind } = ingest.defineKind(definition);
  return {
    ...kind,
    name: definition.name,
    // Stored fields have been validated by the schema of their kind.
    announced: (fields) => announced(fields as F),
    judge(line) {
      const judged = judge(line);
      if (placement === undefined || 'reason' in judged) return judged;
      return { ...judged, content: { ...judged.content, placement: placement(judged.content.fields) } };
    },
  };
}
