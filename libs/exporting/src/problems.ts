import { AppError, nearest, type FieldErrors } from '@stechuhr/kernel';

/** A message, or how it is made: hints take time and are searched only for messages that are shown. */
export type Message = string | (() => string);

/** Takes a message about one parameter. */
export type Report = (message: Message) => void;

/** Elements of `types` and `columns`, and values of all filters together. A list of ids has as many as an address takes. */
export const MAX_ELEMENTS = 200;

/** Messages travel in a gRPC trailer, whose size is bounded; a query can hold thousands of wrong elements. */
const MAX_MESSAGES = 50;
/** In bytes, of one parameter. */
const MAX_LENGTH = 3000;
const MAX_QUOTED = 100;

/** The messages about one parameter that are shown, and the number of the others. */
interface Messages {
  readonly shown: string[];
  dropped: number;
}

/** Bytes of messages that are left. */
interface Room {
  left: number;
}

/** Collects the problems of all parameters, so that a client sees them together (docs/rules/api.md#errors). */
export class Problems {
  readonly #messages = new Map<string, Messages>();
  readonly #nested = new Map<string, readonly Problems[]>();
  readonly #roomOf: () => Room;

  /** @param room what all parameters share; by default each has as much for itself */
  constructor(room?: Room) {
    this.#roomOf = () => room ?? { left: MAX_LENGTH };
  }

  /** Where to report what is wrong with a parameter. */
  of(parameter: string): Report {
    const room = this.#roomOf();
    return (message) => {
      const messages = this.#messages.get(parameter) ?? { shown: [], dropped: 0 };
      this.#messages.set(parameter, messages);
      // In the order of the elements: what follows a dropped message is dropped, too.
      if (messages.dropped > 0 || messages.shown.length >= MAX_MESSAGES || room.left <= 0) messages.dropped += 1;
      else add(messages, worded(message), room);
    };
  }

  /** Where to report what is wrong with the elements of a parameter, at their positions. */
  nested(parameter: string, count: number): readonly Problems[] {
    const room = { left: MAX_LENGTH };
    const elements = Array.from({ length: count }, () => new Problems(room));
    this.#nested.set(parameter, elements);
    return elements;
  }

  /** @throws AppError `invalid`: parameter to messages, at most 50 and 3 KB each, and nested ones at their positions */
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

/** As many elements as fit, up to the last one with problems that does. */
function fitting(details: readonly FieldErrors[]): readonly FieldErrors[] {
  const end = fittingCount(details.map((element) => JSON.stringify(element)));
  return end === details.length
    ? details
    : [...details.slice(0, end), { non_field_errors: ['There are problems here and possibly in later elements.'] }];
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

/**
 * The stock message for an unknown choice, with the valid one that the client probably meant.
 *
 * @param before what the message begins with
 */
export function notAChoice(text: string, choices: Iterable<string>, before = ''): Message {
  return () => {
    const meant = nearest(text, choices);
    const message = `${before}${quoted(text)} is not a valid choice.`;
    return meant === undefined ? message : `${message} Did you mean "${meant}"?`;
  };
}

/** Whether a list is longer than a request may make it; reported then, so that nobody looks at its elements. */
export function isTooLong(elements: readonly unknown[], report: Report): boolean {
  if (elements.length <= MAX_ELEMENTS) return false;
  report(`Ensure this field has no more than ${String(MAX_ELEMENTS)} elements.`);
  return true;
}
