import { AppError, cutText, nearest, type FieldErrors } from '@stechuhr/kernel';

/** A message, or a function that creates it: suggestions take time and are computed only for messages that are shown. */
export type Message = string | (() => string);

/** Reports a problem of one parameter. */
export type Report = (message: Message) => void;

/**
 * Limit for the elements of `types` and `columns`, and for the values of all filters together. Lists of ids are limited only by the length of a URL.
 */
export const MAX_ELEMENTS = 200;

/** Messages are sent in a gRPC trailer of limited size; a query can contain thousands of invalid elements. */
const MAX_MESSAGES = 50;
/** Maximum size in bytes for one parameter. */
const MAX_LENGTH = 3000;
const MAX_QUOTED = 100;

/** The shown messages of one parameter, and the number of the others. */
interface Messages {
  readonly shown: string[];
  dropped: number;
}

/** The remaining room in bytes. */
interface Room {
  left: number;
}

/** Collects the problems of all parameters, so that clients see them together (docs/rules/api.md#errors). */
export class Problems {
  readonly #messages = new Map<string, Messages>();
  readonly #nested = new Map<string, readonly Problems[]>();
  readonly #roomOf: () => Room;

  /** @param room shared by all parameters; by default each instance has its own */
  constructor(room?: Room) {
    this.#roomOf = () => room ?? { left: MAX_LENGTH };
  }

  /** Returns the function that reports problems of a parameter. */
  of(parameter: string): Report {
    const room = this.#roomOf();
    return (message) => {
      const messages = this.#messages.get(parameter) ?? { shown: [], dropped: 0 };
      this.#messages.set(parameter, messages);
      // In the order of the elements: after a dropped message, all further ones are dropped, too.
      if (messages.dropped > 0 || messages.shown.length >= MAX_MESSAGES || room.left <= 0) messages.dropped += 1;
      else add(messages, worded(message), room);
    };
  }

  /** Returns collectors for the problems of a parameter's elements, by position. */
  nested(parameter: string, count: number): readonly Problems[] {
    const room = { left: MAX_LENGTH };
    const elements = Array.from({ length: count }, () => new Problems(room));
    this.#nested.set(parameter, elements);
    return elements;
  }

  /** @throws AppError `invalid`: parameter to messages, at most 50 and 3 KB each, with nested ones at their positions */
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

/** The text of a message. */
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

/** As many elements as fit, up to the last one with problems. */
function fitting(details: readonly FieldErrors[]): readonly FieldErrors[] {
  const end = fittingCount(details.map((element) => JSON.stringify(element)));
  return end === details.length
    ? details
    : [...details.slice(0, end), { non_field_errors: ['There are problems here and possibly in later elements.'] }];
}

/** How many texts, from the first on, fit together. */
function fittingCount(texts: readonly string[]): number {
  let left = MAX_LENGTH;
  const end = texts.findIndex((text) => (left -= Buffer.byteLength(text)) < 0);
  return end === -1 ? texts.length : end;
}

/** A text of the client inside a message, truncated. */
export function quoted(text: string): string {
  return `"${cutText(text, MAX_QUOTED)}"`;
}

/**
 * The message for an unknown choice, with the valid one that was probably meant.
 * @param before the beginning of the message
 */
export function notAChoice(text: string, choices: Iterable<string>, before = ''): Message {
  return () => {
    const meant = nearest(text, choices);
    const message = `${before}${quoted(text)} is not a valid choice.`;
    return meant === undefined ? message : `${message} Did you mean "${meant}"?`;
  };
}

/** Whether a list is longer than allowed; this is reported, and its elements need not be checked. */
export function isTooLong(elements: readonly unknown[], report: Report): boolean {
  if (elements.length <= MAX_ELEMENTS) return false;
  report(`Ensure this field has no more than ${String(MAX_ELEMENTS)} elements.`);
  return true;
}
