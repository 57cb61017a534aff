import { AppError } from '@stechuhr/kernel';
import { nearest } from './nearest.js';

/** Takes a message about one parameter. */
export type Report = (message: string) => void;

/** Messages travel in a gRPC trailer, whose size is bounded; a query can hold thousands of wrong elements. */
const MAX_MESSAGES = 50;
const MAX_QUOTED = 100;

/** Collects the problems of all parameters, so that a client sees them together (design.md §4). */
export class Problems {
  readonly #messages = new Map<string, string[]>();

  /** Where to report what is wrong with a parameter. */
  of(parameter: string): Report {
    return (message) => {
      const known = this.#messages.get(parameter);
      if (known === undefined) this.#messages.set(parameter, [message]);
      else known.push(message);
    };
  }

  /** @throws AppError `invalid`: parameter to messages, at most 50 each */
  throwIfAny(): void {
    if (this.#messages.size === 0) return;
    throw AppError.invalid(Object.fromEntries([...this.#messages].map(([parameter, messages]) => [parameter, capped(messages)])));
  }
}

function capped(messages: readonly string[]): readonly string[] {
  const hidden = messages.length - MAX_MESSAGES;
  return hidden <= 0 ? messages : [...messages.slice(0, MAX_MESSAGES), `${String(hidden)} more.`];
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
