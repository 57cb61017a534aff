import { events, streams } from '@stechuhr/contracts';
import { isUuid } from '@stechuhr/kernel';
import type { StreamQuery } from '@stechuhr/bus';
import { Failure } from '../failure.js';
import { readSince } from '../since.js';

/** The options of `events` as typed by the user. */
export interface EventOptions {
  /** An event type (`records.employee.changed`) or a prefix of one (`records`, `records.employee`); `*` stands for one part. */
  readonly type: readonly string[];
  readonly institution?: string;
  readonly since?: string;
}

const PARTS = 3;

/**
 * Translates the options into a query.
 * @throws Failure (wrong usage)
 */
export function eventQuery({ type, institution, since }: EventOptions): StreamQuery {
  if (institution !== undefined && !isUuid(institution)) throw new Failure(`--institution: "${institution}" is not a UUID.`, 2);
  const tails = type.length === 0 ? ['>'] : tailsOf(type);
  return {
    stream: streams.events.name,
    filterSubjects: tails.map((tail) => `stechuhr.events.${institution?.toLowerCase() ?? '*'}.${tail}`),
    ...(since !== undefined && { since: readSince(since) }),
  };
}

/** NATS refuses a filter that another one includes. */
function tailsOf(types: readonly string[]): readonly string[] {
  const tails = [...new Set(types.map(tailOf))];
  return tails.filter((tail) => !tails.some((other) => other !== tail && includes(other, tail)));
}

function tailOf(type: string): string {
  const parts = type.split('.');
  if (!events.some((event) => matches(parts, event.type.split('.')))) {
    throw new Failure(`--type: There are no events "${type}". docs/events.md lists all of them, for example records.employee.changed.`, 2);
  }
  return parts.length < PARTS ? `${type}.>` : type;
}

/** Whether one filter matches everything that the other one matches. */
function includes(wide: string, narrow: string): boolean {
  const [parts, others] = [wide.split('.'), narrow.split('.')];
  const isOpen = parts.at(-1) === '>';
  if (!isOpen && parts.length !== others.length) return false;
  return (isOpen ? parts.slice(0, -1) : parts).every((part, index) => {
    const other = others[index];
    return other !== undefined && other !== '>' && (part === '*' || part === other);
  });
}

function matches(parts: readonly string[], type: readonly string[]): boolean {
  return parts.length <= type.length && parts.every((part, index) => part === '*' || part === type[index]);
}
