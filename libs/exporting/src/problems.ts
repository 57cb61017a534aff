import { AppError, nearest, type FieldErrors } from '@stechuhr/kernel';

/** Takes a message about one parameter. */
export type Report = (message: string) => void;

/** Messages travel in a gRPC trailer, whose size is bounded; a query can hold thousands of wrong elements. */
const MAX_MESSAGES = 50;
/** In bytes, of one parameter. */
const MAX_LENGTH = 3000;
const MAX_QUOTED = 100;

/** Collects the problems of all parameters, so that a client sees them together (docs/rules/api.md#errors). */
export class Problems {
  readonly #messages = new Map<string, string[]>();
  readonly #nested = new Map<string, readonly Problems[]>();

  /** Where to report what is wrong with a parameter. */
  of(parameter: string): Report {
    return (message) => {
      const known = this.#messages.get(parameter);
      if (known === undefined) this.#messages.set(parameter, [message]);
      else known.push(message);
    };
  }

  /** Where to report what is wrong with the elements of a parameter, at their positions. */
  nested(parameter: string, count: number): readonly Problems[] {
    const elements = Array.from({ length: count }, () => new Problems());
    this.#nested.set(parameter, elements);
    return elements;
  }

  /** @throws AppError `invalid`: parameter to messages, at most 50 and 3 KB each, and nested ones at their positions */
  throwIfAny(): void {
    const details = this.#details;
    if (Object.keys(details).length > 0) throw AppError.invalid(details);
  }

  get #details(): FieldErrors {
    const own = [...this.#messages].map(([parameter, messages]) => [parameter, capped(messages)] as const);
    const nested = [...this.#nested].flatMap(([parameter, elements]) => {
      const details = elements.map((element) => element.#details);
      return details.some(isSomething) ? [[parameter, fitting(details)] as const] : [];
    });
    return Object.fromEntries([...own, ...nested]);
  }
}

function isSomething(details: FieldErrors): boolean {
  return Object.keys(details).length > 0;
}

/** As many elements as fit, up to the last one with problems that does. */
function fitting(details: readonly FieldErrors[]): readonly FieldErrors[] {
  const end = fittingCount(details.map((element) => JSON.stringify(element)));
  return end === details.length
    ? details
    : [...details.slice(0, end), { non_field_errors: ['There are problems here and possibly in later elements.'] }];
}

function capped(messages: readonly string[]): readonly string[] {
  const shown = Math.min(MAX_MESSAGES, fittingCount(messages));
  return shown === messages.length ? messages : [...messages.slice(0, shown), `${String(messages.length - shown)} more.`];
}

/** How many texts from the first on are not too long together. */
function fittingCount(texts: readonly string[]): number {
  let left = MAX_LENGTH;
  const end = texts.findIndex((text) => (left -= Buffer.byteLength(text)) < 0);
  return end === -1 ? texts.length : end;
}

/** A text of the client inside a message, cut to a sane length. */
export function quoted(text: string): string {
  return text.length <= MAX_QUOTED ? `"${text}"` : `"${text.slice(0, MAX_QUOTED)}…"`;
}

/** The stock message for an unknown choice, with the valid one that the client probably meant. */
export function notAChoice(text: string, choices: Iterable<string>): string {
  const meant = nearest(text, choices);
  const message = `${quoted(text)} is not a valid choice.`;
  return meant === undefined ? message : `${message} Did you mean "${meant}"?`;
}
