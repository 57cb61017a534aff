import { deadLetterSubjects, streams } from '@stechuhr/contracts';
import type { BusAdmin } from '@stechuhr/bus';
import { AppError, createLimiter, cutText } from '@stechuhr/kernel';
import { Failure } from '../failure.js';
import type { Output } from '../output.js';
import { printable } from '../printable.js';
import { table } from '../table.js';
import { withBus } from '../with-bus.js';
import { retryTarget } from './retry-target.js';
import { payloadOf, toLetter, type Letter } from './letter.js';

/** Selects dead letters. */
export interface LetterFilter {
  readonly origin?: string;
}

/** What the list shows of a letter. The messages themselves are too large to keep those of all letters. */
type ListedLetter = Pick<Letter, 'sequence' | 'origin' | 'subject' | 'reason' | 'deliveries' | 'failed_at'>;

const STREAM = streams.dead.name;
const LONGEST_REASON = 80;
/** The server syncs each removal to its disk, and there may be tens of thousands. */
const REMOVED_AT_A_TIME = 64;

export function runList(filter: LetterFilter, output: Output): Promise<number> {
  return withBus(async (bus) => {
    const letters = await lettersOf(bus, filter);
    output.result(letters, () => (letters.length === 0 ? 'No dead letters.' : table(HEADER, letters.map(rowOf))));
    return 0;
  });
}

export function runShow(sequence: number, output: Output): Promise<number> {
  return withBus(async (bus) => {
    const letter = await findLetter(bus, sequence);
    output.result(letter, () => describe(letter));
    return 0;
  });
}

interface ChoiceOptions extends LetterFilter {
  readonly all?: boolean;
}

/**
 * Publishes dead letters again on their original subjects, and removes those that were published.
 * @returns 1 if any could not be published
 */
export function runRetry(sequences: readonly number[], options: ChoiceOptions, output: Output): Promise<number> {
  requireChoice(sequences, options, 'retry');
  return withBus(async (bus) => {
    const retried: number[] = [];
    const failed: { readonly sequence: number; readonly reason: string }[] = [];
    for (const sequence of await chosen(bus, sequences, options)) {
      const letter = await letterAt(bus, sequence);
      // It has expired or been removed since it was chosen.
      if (letter === undefined) continue;
      const problem = await retry(bus, letter);
      if (problem === undefined) retried.push(letter.sequence);
      else failed.push({ sequence: letter.sequence, reason: problem });
    }
    return output.result({ retried, failed }, () => summaryOf(retried, failed), failed.length > 0 ? 1 : 0);
  });
}

/** Deletes dead letters without retrying them. */
export function runDelete(sequences: readonly number[], options: ChoiceOptions, output: Output): Promise<number> {
  requireChoice(sequences, options, 'delete');
  return withBus(async (bus) => {
    const deleted = await chosen(bus, sequences, options);
    const limited = createLimiter(REMOVED_AT_A_TIME);
    await Promise.all(deleted.map((sequence) => limited(() => bus.remove(STREAM, sequence))));
    output.result({ deleted }, () => `Deleted: ${String(deleted.length)}.`);
    return 0;
  });
}

function requireChoice(sequences: readonly number[], { all = false, origin }: ChoiceOptions, verb: string): void {
  if (sequences.length > 0 === all) throw new Failure(`Give the numbers of the letters to ${verb}, or --all.`, 2);
  if (origin !== undefined && !all) throw new Failure('--origin: Use it only with --all.', 2);
}

/** @throws Failure if one of the numbers is not that of a letter; nothing has been done then */
async function chosen(bus: BusAdmin, sequences: readonly number[], options: ChoiceOptions): Promise<readonly number[]> {
  if (options.all === true) return (await lettersOf(bus, options)).map(({ sequence }) => sequence);
  for (const one of sequences) await findLetter(bus, one);
  return sequences;
}

async function retry(bus: BusAdmin, letter: Letter): Promise<string | undefined> {
  const payload = payloadOf(letter);
  if (payload === undefined) return 'The message was too long to be stored completely.';
  const target = retryTarget(letter.subject, payload);
  if ('refusal' in target) return target.refusal;
  try {
    // Published without a message id that others could guess: NATS drops a message as a duplicate if anyone has used its id before.
    await bus.publish(target.subject, payload);
  } catch (caught) {
    return AppError.from(caught).message;
  }
  await bus.remove(STREAM, letter.sequence);
  return undefined;
}

async function lettersOf(bus: BusAdmin, { origin }: LetterFilter): Promise<ListedLetter[]> {
  const letters: ListedLetter[] = [];
  const only = origin === undefined ? {} : { filterSubjects: deadLetterSubjects(origin) };
  for await (const message of bus.browse({ stream: STREAM, ...only })) {
    const letter = toLetter(message);
    if (letter !== undefined) letters.push(listed(letter));
  }
  return letters;
}

function listed({ sequence, origin, subject, reason, deliveries, failed_at }: Letter): ListedLetter {
  return { sequence, origin, subject, reason, deliveries, failed_at };
}

async function findLetter(bus: BusAdmin, sequence: number): Promise<Letter> {
  const letter = await letterAt(bus, sequence);
  if (letter === undefined)
    throw new Failure(`There is no dead letter ${String(sequence)}. "dead-letters list" shows the existing ones.`, 1);
  return letter;
}

async function letterAt(bus: BusAdmin, sequence: number): Promise<Letter | undefined> {
  const message = await bus.message(STREAM, sequence);
  return message && toLetter(message);
}

const HEADER = ['number', 'origin', 'time', 'deliveries', 'subject', 'reason'];

function rowOf({ sequence, origin, failed_at, deliveries, subject, reason }: ListedLetter): readonly string[] {
  return [String(sequence), origin, failed_at, String(deliveries), subject, cutText(reason, LONGEST_REASON)];
}

function describe({ payload, payload_base64, payload_truncated, ...letter }: Letter): string {
  const lines = Object.entries(letter).map(([name, value]) => `${`${name}:`.padEnd(12)}${printable(String(value))}`);
  const cut = payload_truncated === true ? ' (only its beginning)' : '';
  return [...lines, '', payload === undefined ? `base64${cut}: ${payload_base64 ?? ''}` : payload].join('\n');
}

function summaryOf(retried: readonly number[], failed: readonly { readonly sequence: number; readonly reason: string }[]): string {
  const problems = failed.map(({ sequence, reason }) => `Letter ${String(sequence)} was not sent: ${reason}`);
  return [`Sent again: ${String(retried.length)}.`, ...problems].join('\n');
}
