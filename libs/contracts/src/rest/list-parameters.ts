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

/** Bounds as `YYYY-MM-DD`, both inclusive; undefined means none. */
export interface DateBounds {
  readonly from: string | undefined;
  readonly until: string | undefined;
}

/** Days as `YYYY-MM-DD`, both inclusive. */
export interface DateRange {
  readonly from: string;
  readonly until: string;
}

/** One field of `order`. */
export interface Ordering<F extends string> {
  readonly field: F;
  readonly descending: boolean;
}

/** The fields of `order` for lists of services other than records; the id breaks ties. */
export const listOrders = {
  tasks: ['created_at'],
  tokens: ['created_at'],
  suppressions: ['valid_from', 'code', 'created_at'],
  dailyReports: ['date'],
  deliveries: ['created_at'],
} as const;

/** Limited, because messages are sent in a gRPC trailer. */
const MAX_MESSAGES = 20;
const MAX_QUOTED = 100;
type ParsedDateTime = { readonly kind: 'ok'; readonly instant: number } | { readonly kind: keyof typeof dateTimeProblems };

const UNBOUNDED: DateBounds = { from: undefined, until: undefined };

/**
 * Reads the query parameters that lists share (spec, General conventions 5; docs/rules/api.md#query-parameters): an empty parameter counts as not
 * given, empty elements between pipes are skipped, and problems are reported together.
 */
export class ListParameters {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #errors: Record<string, string[]> = {};

  /** @param texts as sent by the client, decoded once */
  constructor(texts: Readonly<Record<string, string>>) {
    this.#texts = new Map(Object.entries(texts));
  }

  /**
   * Valid ids in lower case without duplicates; undefined if the parameter is not given. Invalid ids are not an error; they match nothing. Without
   * any valid id, nothing matches.
   */
  ids(name: string): readonly string[] | undefined {
    return this.#isGiven(name) ? [...new Set(this.#elements(name).flatMap((element) => parseUuid(element) ?? []))] : undefined;
  }

  /** As {@link ids}, for a parameter that matches nothing if one of its ids is invalid. */
  idsIfAllValid(name: string): readonly string[] | 'malformed' | undefined {
    if (!this.#isGiven(name)) return undefined;
    const ids = this.#elements(name).map(parseUuid);
    return ids.length === 0 || ids.includes(undefined) ? 'malformed' : [...new Set(ids.flatMap((id) => id ?? []))];
  }

  /** `<date>|<date>` with both sides; an invalid or reversed range is not an error, but matches nothing. */
  fullRange(name = 'daterange'): DateRange | 'malformed' | undefined {
    const range = this.#range(name, 'both');
    return range === undefined || 'from' in range ? range : 'malformed';
  }

  /** As {@link date}, but an invalid one counts as not given. */
  dateIfValid(name: string): string | undefined {
    const text = this.text(name) ?? '';
    return isCalendarDate(text) ? text : undefined;
  }

  /** As {@link choices}, but unknown ones are ignored. */
  knownChoices<const C extends string>(name: string, choices: readonly C[]): readonly C[] {
    const elements = new Set(this.#elements(name));
    return choices.filter((choice) => elements.has(choice));
  }

  /** `<date>|<date>`, either side may be empty; an invalid or reversed range is an error. */
  daterange(name = 'daterange'): DateBounds {
    const range = this.#range(name, 'either');
    if (range === undefined) return UNBOUNDED;
    if ('from' in range) return { from: range.from || undefined, until: range.until || undefined };
    this.#report(name, [range.problem]);
    return UNBOUNDED;
  }

  /** Free text without surrounding blanks; undefined if it is empty. */
  text(name: string): string | undefined {
    const text = this.#texts.get(name)?.trim() ?? '';
    return text === '' ? undefined : text;
  }

  /** A date `YYYY-MM-DD`; undefined if the parameter is not given. An invalid one is an error. */
  date(name: string): string | undefined {
    const text = this.text(name);
    if (text === undefined || isCalendarDate(text)) return text;
    this.#report(name, [stockMessages.date]);
    return undefined;
  }

  /**
   * A local time in seconds since 1970; undefined if the parameter is not given. An invalid one is an error. In the repeated hour in October, the
   * first occurrence is meant.
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

  /** Values of a closed set; undefined if the parameter is not given. */
  choices<const C extends string>(name: string, choices: readonly C[]): readonly C[] | undefined {
    if (!this.#isGiven(name)) return undefined;
    const isChoice = (element: string): element is C => choices.some((choice) => choice === element);
    const elements = this.#elements(name);
    this.#report(
      name,
      elements.filter((element) => !isChoice(element)).map((element) => `${quoted(element)} is not a valid choice.`),
    );
    return elements.filter(isChoice);
  }

  /** `order`; unknown fields are reported under `$query`. */
  order<const F extends string>(fields: readonly F[]): readonly Ordering<F>[] {
    const orderings = this.#elements('order').map((element) => orderingOf(element, fields));
    this.#report(
      '$query',
      orderings.flatMap((ordering) => (typeof ordering === 'string' ? [`${quoted(ordering)} is not a valid ordering field.`] : [])),
    );
    const byField = new Map<F, Ordering<F>>();
    for (const ordering of orderings) {
      // A repeated field has no effect.
      if (typeof ordering !== 'string' && !byField.has(ordering.field)) byField.set(ordering.field, ordering);
    }
    return [...byField.values()];
  }

  /** @throws AppError `invalid`: parameter to messages */
  throwIfAny(): void {
    if (Object.keys(this.#errors).length > 0) throw AppError.invalid(this.#errors);
  }

  /** @returns undefined if the parameter is not given; a missing side is empty */
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

/** @returns the element itself if it is not a known field */
function orderingOf<F extends string>(element: string, fields: readonly F[]): Ordering<F> | string {
  const descending = element.startsWith('-');
  const field = fields.find((candidate) => candidate === (descending ? element.slice(1) : element));
  return field === undefined ? element : { field, descending };
}

function quoted(text: string): string {
  return `"${cutText(text, MAX_QUOTED)}"`;
}
