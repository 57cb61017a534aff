import { AppError, cutText, nearest, type FieldErrors } from '@stechuhr/kernel';

/** A message, or a function that creates it: suggestions take time and are only computed for messages that are shown. */
export type Message = string | (() => string);

/** Reports a problem with one parameter. */
export type Report = (message: Message) => void;

/**
 * Maximum number of elements in `types` and `columns`, and of values in all filters together. Lists of ids are only limited by the length
 * of a URL.
 */
export const MAX_ELEMENTS = 200;

/** Messages are transmitted in a gRPC trailer of limited size, and a query can contain thousands of invalid elements. */
const MAX_MESSAGES = 50;
/** Maximum length of all messages about one parameter, in bytes. */
const MAX_LENGTH = 3000;
const MAX_QUOTED = 100;

/** The shown messages of one parameter, and the number of the others. */
interface Messages {
  readonly shown: string[];
  dropped: number;
}

/** The remaining bytes for messages. */
interface Room {
  left: number;
}

/** Collects the problems of all parameters, so that a client sees all of them at once (docs/rules/api.md#errors). */
export class Problems {
  readonly #messages = new Map<string, Messages>();
  readonly #nested = new Map<string, readonly Problems[]>();
  readonly #roomOf: () => Room;

  /** @param room the limit shared by all parameters; by default each parameter has its own */
  constructor(room?: Room) {
    this.#roomOf = () => room ?? { left: MAX_LENGTH };
  }

  /** Returns the function that reports problems of a parameter. */
  of(parameter: string): Report {
    const room = this.#roomOf();
    return (message) => {
      const messages = this.#messages.get(parameter) ?? { shown: [], dropped: 0 };
      this.#messages.set(parameter, messages);
      // Messages follow the order of the elements: after one was dropped, all later ones are dropped, too.
      if (messages.dropped > 0 || messages.shown.length >= MAX_MESSAGES || room.left <= 0) messages.dropped += 1;
      else add(messages, worded(message), room);
    };
  }

  /** Returns collectors for the problems of the elements of a parameter, by position. */
  nested(parameter: string, count: number): readonly Problems[] {
    const room = { left: MAX_LENGTH };
    const elements = Array.from({ length: count }, () => new Problems(room));
    this.#nested.set(parameter, elements);
    return elements;
  }

  /**
   * Throws if problems were reported.
   *
   * @throws AppError `invalid` with the messages by parameter, at most 50 and 3 KB each, and nested ones by position
   */
  throwIfAny(): void {
    const details = this.#details;
    if (Object.keys(details).length > 0) throw AppError.invalid(details);
  }

  get #details(): FieldErrors {
    const own = [...this.#messages].map(
      ([parameter, { shown, dropped }]) => [parameter, dropped === 0 ? shown : [...shown, `${String(dropped)} more.`]] as const,
    );
    const nested = [...this.#nested].flatMap(([parameter, elements]) => {
      const details = elements.map((element) => element.#details);
      return details.some(isSomething) ? [[parameter, fitting(details)] as const] : [];
    });
    return Object.fromEntries([...own, ...nested]);
  }
}

/** Returns the text of a message. */
export function worded(message: Message): string {
  return typeof message === 'string' ? message : message();
}

function add(messages: Messages, text: string, room: Room): void {
  room.left -= Buffer.byteLength(text);
  if (room.left < 0) messages.dropped += 1;
  else messages.shown.push(text);
}

function isSomething(details: FieldErrors): boolean {
  return Object.keys(details).length > 0;
}

/** Returns as many elements as fit into the limit; further ones are replaced by a general message. */
function fitting(details: readonly FieldErrors[]): readonly FieldErrors[] {
  const end = fittingCount(details.map((element) => JSON.stringify(element)));
  return end === details.length
    ? details
    : [...details.slice(0, end), { non_field_errors: ['There are problems here and possibly in later elements.'] }];
}

/** Returns how many texts, counted from the first, fit into the limit together. */
function fittingCount(texts: readonly string[]): number {
  let left = MAX_LENGTH;
  const end = texts.findIndex((text) => (left -= Buffer.byteLength(text)) < 0);
  return end === -1 ? texts.length : end;
}

/** Quotes a text of the client in a message, truncated if it is long. */
export function quoted(text: string): string {
  return `"${cutText(text, MAX_QUOTED)}"`;
}

/**
 * Returns the standard message for an unknown choice, with a suggestion if a valid choice is similar.
 *
 * @param before the beginning of the message
 */
export function notAChoice(text: string, choices: Iterable<string>, before = ''): Message {
  return () => {
    const meant = nearest(text, choices);
    const message = `${before}${quoted(text)} is not a valid choice.`;
    return meant === undefined ? message : `${message} Did you mean "${meant}"?`;
  };
}

/** Whether a list has too many elements. If so, this is reported, and the elements need not be checked. */
export function isTooLong(elements: readonly unknown[], report: Report): boolean {
  if (elements.length <= MAX_ELEMENTS) return false;
  report(`Ensure this field has no more than ${String(MAX_ELEMENTS)} elements.`);
  return true;
}
