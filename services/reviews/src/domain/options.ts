import { z } from 'zod';

/** An option of a check. */
export interface Option<V extends number | string> {
  readonly default: V;
  /** The allowed values. */
  readonly schema: z.ZodType<V>;
  /** The end of the message about a value that is not accepted. */
  readonly rule: string;
  readonly accepts: (value: unknown) => value is V;
}

export type OptionTable = Readonly<Record<string, Option<number> | Option<string>>>;

/** The options of a check that an organization has customized, by name. */
export type CustomOptions = Readonly<Record<string, number | string>>;

type ValueOf<O> = O extends Option<infer V> ? V : never;
export type OptionValues<T extends OptionTable> = { readonly [K in keyof T]: ValueOf<T[K]> };

interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

const UNBOUNDED_HOURS = 1_000_000;

/** Defines a numeric option, with decimals, by default at least 0. */
export function numberOption(standard: number, { min = 0, max = UNBOUNDED_HOURS }: Bounds = {}): Option<number> {
  const schema = z.number().min(min).max(max);
  return {
    default: standard,
    schema,
    rule: `must be a number from ${String(min)} to ${String(max)}`,
    accepts: (value): value is number => schema.safeParse(value).success,
  };
}

/** Defines an option with a few possible words. The first is the default. */
export function choiceOption<const V extends string>(standard: V, ...others: readonly V[]): Option<V> {
  const schema = z.literal([standard, ...others]);
  const rule = `must be ${[standard, ...others].join(' or ')}`;
  return { default: standard, schema, rule, accepts: (value): value is V => schema.safeParse(value).success };
}

export function valuesOf<T extends OptionTable>(table: T, custom: CustomOptions): OptionValues<T> {
  const values = Object.entries(table).map(([name, option]) => [name, custom[name] ?? option.default]);
  // Customized values were validated by their options when they were stored.
  return Object.fromEntries(values) as OptionValues<T>;
}

/** Converts hours to whole seconds. */
export function secondsOfHours(hours: number): number {
  return Math.round(hours * 3600);
}

export function secondsOfMinutes(minutes: number): number {
  return Math.round(minutes * 60);
}
