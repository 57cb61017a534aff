import {
  AppError,
  cutText,
  dateTimeProblems,
  isCalendarDate,
  parseUuid,
  rangeProblem,
  stockMessages,
  type RangeSides,
} from '@stechuhr/kernel';

/** Inclusive bounds as `YYYY-MM-DD`; undefined means unbounded. */
export interface DateBounds {
  readonly from: string | undefined;
  readonly until: string | undefined;
}

/** An inclusive range of days as `YYYY-MM-DD`. */
export interface DateRange {
  readonly from: string;
  readonly until: string;
}

/** One field of `order`. */
export interface Ordering<F extends string> {
  readonly field: F;
  readonly descending: boolean;
}

/** The fields of `order` for lists of other services than records; ties are broken by id. */
export const listOrders = {
  tasks: ['created_at'],
  tokens: ['created_at'],
  suppressions: ['valid_from', 'code', 'created_at'],
  dailyReports: ['date'],
  deliveries: ['created_at'],
} as const;

/** Messages are transmitted in a gRPC trailer of limited size. */
const MAX_MESSAGES = 20;
const MAX_QUOTED = 100;
type ParsedDateTime = { readonly kind: 'ok'; readonly instant: number } | { readonly kind: keyof typeof dateTimeProblems };

const UNBOUNDED: DateBounds = { from: undefined, until: undefined };

/**
 * Reads the common query parameters of lists (spec, General conventions 5; docs/rules/api.md#query-parameters). An empty parameter counts
 * as missing, empty elements between pipes are skipped, and problems are reported together.
 */
export class ListParameters {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #errors: Record<string, string[]> = {};

  /** @param texts as sent by the client, decoded once */
  constructor(texts: Readonly<Record<string, string>>) {
    this.#texts = new Map(Object.entries(texts));
  }

  /**
   * Returns the valid ids in lower case without duplicates; undefined if the parameter is missing. Invalid ids are not reported, since they
   * match nothing; if none is valid, or there are only pipes, the result is empty.
   */
  ids(name: string): readonly string[] | undefined {
    return this.#isGiven(name) ? [...new Set(this.#elements(name).flatMap((element) => parseUuid(element) ?? []))] : undefined;
  }

  /** Like {@link ids}, for a parameter that matches nothing if any of its ids is invalid. */
  idsIfAllValid(name: string): readonly string[] | 'malformed' | undefined {
    if (!this.#isGiven(name)) return undefined;
    const ids = this.#elements(name).map(parseUuid);
    return ids.length === 0 || ids.includes(undefined) ? 'malformed' : [...new Set(ids.flatMap((id) => id ?? []))];
  }

  /** Reads `<date>|<date>` with both sides. An invalid or reversed range is not reported, since it matches nothing. */
  fullRange(name = 'daterange'): DateRange | 'malformed' | undefined {
    const range = this.#range(name, 'both');
    return range === undefined || 'from' in range ? range : 'malformed';
  }

  /** Like {@link date}, but an invalid date counts as missing. */
  dateIfValid(name: string): string | undefined {
    const text = this.text(name) ?? '';
    return isCalendarDate(text) ? text : undefined;
  }

  /** Like {@link choices}, but ignores unknown values. */
  knownChoices<const C extends string>(name: string, choices: readonly C[]): readonly C[] {
    const elements = new Set(this.#elements(name));
    return choices.filter((choice) => elements.has(choice));
  }

  /** Reads `<date>|<date>`, of which either side may be empty; reports an invalid or reversed range. */
  daterange(name = 'daterange'): DateBounds {
    const range = this.#range(name, 'either');
    if (range === undefined) return UNBOUNDED;
    if ('from' in range) return { from: range.from || undefined, until: range.until || undefined };
    this.#report(name, [range.problem]);
    return UNBOUNDED;
  }

  /** Returns trimmed free text; undefined if it is empty. */
  text(name: string): string | undefined {
    const text = this.#texts.get(name)?.trim() ?? '';
    return text === '' ? undefined : text;
  }

  /** Reads a date `YYYY-MM-DD`; undefined if the parameter is missing. Reports an invalid date. */
  date(name: string): string | undefined {
    const text = this.text(name);
    if (text === undefined || isCalendarDate(text)) return text;
    this.#report(name, [stockMessages.date]);
    return undefined;
  }

  /**
   * Reads a local time and returns seconds since 1970; undefined if the parameter is missing. Reports an invalid time. An ambiguous time in
   * October is the first of both.
   *
   * @param parse `parseLocalDateTime` of libs/worktime
   */
  instant(name: string, parse: (text: string) => ParsedDateTime): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const parsed = parse(text);
    if (parsed.kind === 'ok') return parsed.instant;
    this.#report(name, [dateTimeProblems[parsed.kind]]);
    return undefined;
  }

  /**
   * Returns the values of a fixed set; undefined if the parameter is missing. Reports unknown values.
   *
   * @param choiceOf returns the value that an element stands for, if it may be written in several ways
   */
  choices<const C extends string>(
    name: string,
    choices: readonly C[],
    choiceOf: (element: string) => C | undefined = (element) => choices.find((choice) => choice === element),
  ): readonly C[] | undefined {
    if (!this.#isGiven(name)) return undefined;
    const elements = this.#elements(name);
    this.#report(
      name,
      elements.filter((element) => choiceOf(element) === undefined).map((element) => `${quoted(element)} is not a valid choice.`),
    );
    return elements.flatMap((element) => choiceOf(element) ?? []);
  }

  /** Reads `order`; unknown fields are reported under `$query`. */
  order<const F extends string>(fields: readonly F[]): readonly Ordering<F>[] {
    const orderings = this.#elements('order').map((element) => orderingOf(element, fields));
    this.#report(
      '$query',
      orderings.flatMap((ordering) => (typeof ordering === 'string' ? [`${quoted(ordering)} is not a valid ordering field.`] : [])),
    );
    const byField = new Map<F, Ordering<F>>();
    for (const ordering of orderings) {
      // Repeated fields have no effect.
      if (typeof ordering !== 'string' && !byField.has(ordering.field)) byField.set(ordering.field, ordering);
    }
    return [...byField.values()];
  }

  /** Throws if problems were reported. @throws AppError `invalid` with the messages by parameter */
  throwIfAny(): void {
    if (Object.keys(this.#errors).length > 0) throw AppError.invalid(this.#errors);
  }

  /** Splits a range. @returns undefined if the parameter is missing; a missing side is empty */
  #range(name: string, needed: RangeSides): DateRange | { readonly problem: string } | undefined {
    const sides = this.text(name)
      ?.split('|')
      .map((side) => side.trim());
    if (sides === undefined) return undefined;
    const problem = rangeProblem(sides, needed);
    const [from = '', until = ''] = sides;
    return problem === undefined ? { from, until } : { problem };
  }

  #isGiven(name: string): boolean {
    return this.text(name) !== undefined;
  }

  #elements(name: string): readonly string[] {
    const elements = this.#texts.get(name)?.split('|') ?? [];
    return elements.map((element) => element.trim()).filter((element) => element !== '');
  }

  #report(name: string, messages: readonly string[]): void {
    if (messages.length > 0) this.#errors[name] = messages.slice(0, MAX_MESSAGES);
  }
}

/** Parses an element of `order`. @returns the element itself if its field is unknown */
function orderingOf<F extends string>(element: string, fields: readonly F[]): Ordering<F> | string {
  const descending = element.startsWith('-');
  const field = fields.find((candidate) => candidate === (descending ? element.slice(1) : element));
  return field === undefined ? element : { field, descending };
}

function quoted(text: string): string {
  return `"${cutText(text, MAX_QUOTED)}"`;
}
