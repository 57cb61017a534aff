import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@stechuhr/kernel';
import type { Apply, ApplyTerms } from './apply.js';
import type { ImportEvent, ImportLine, ImportWarning } from './import-events.js';
import { ImportTally, type ImportCounts } from './import-tally.js';
import { refusalOf, type LineJudge } from './judge-line.js';
import type { Change, Refusal } from './kinds/change.js';
import type { Content, Kind } from './kinds/kind.js';
import type { Outcome } from './kinds/outcome.js';
import { openSetAside, type SetAside } from './set-aside.js';
import { WaitingKeys } from './waiting-keys.js';

/** The number of lines that are written together. It may adapt to the changes that were written. */
export interface BatchSize<C extends Content = Content> {
  readonly lines: number;
  adapt(changes: readonly Change<C>[]): void;
}

/** What a service provides for an import. */
export interface ImportOptions<C extends Content = Content, K extends string = string> {
  /** Sorted so that no kind references a later one. */
  readonly kinds: readonly Pick<Kind<C> & { readonly name: K }, 'name' | 'order' | 'excludesOthers'>[];
  readonly judge: LineJudge<C, K>;
  readonly apply: Apply<C, K>;
  /** Default: 500 lines. */
  readonly batchSize?: BatchSize<C>;
  /** Called before the summary, with the counts of each institution. @returns warnings about the data that is now stored */
  readonly finished?: (byInstitution: ReadonlyMap<string, ImportCounts>) => Promise<readonly ImportWarning[]>;
}

const PAUSES_MS = [500, 2_000, 5_000];
/** Lines are written earlier if they have more characters together: a line may have a megabyte, and thousands of usual lines have less. */
const MAX_BATCH_CHARACTERS = 8 * 1024 * 1024;
const DEFAULT_SIZE: BatchSize = { lines: 500, adapt: () => undefined };

/**
 * Imports lines in any order. A line with unresolved references waits in a temporary file, together with all later lines that must stay in
 * order with it, until all lines have been read; it is rejected if the references still do not exist then. Lines that were accepted before
 * the caller disconnects remain stored.
 */
export async function* importLines<C extends Content, K extends string>(
  options: ImportOptions<C, K>,
  lines: AsyncIterable<ImportLine>,
): AsyncGenerator<ImportEvent, void, undefined> {
  const setAside = openSetAside();
  const tally = new ImportTally();
  const orders = new Map<string, Kind['order']>(options.kinds.map(({ name, order }) => [name, order]));
  const waiting: Waiting = { setAside, keys: new WaitingKeys(), any: false, orders };
  try {
    yield* judgeLines(options, lines, { tally, waiting });
    for (const { name } of options.kinds) yield* judgeLines(options, setAside.lines(name), { tally });
    for (const warning of (await options.finished?.(tally.byInstitution)) ?? []) yield { kind: 'warning', warning };
    yield { kind: 'summary', ...tally.total };
  } finally {
    await setAside.close();
  }
}

interface Waiting {
  readonly setAside: SetAside;
  readonly keys: WaitingKeys;
  readonly orders: ReadonlyMap<string, Kind['order']>;
  any: boolean;
}

interface Pass {
  readonly tally: ImportTally;
  /** Collects lines that have to wait; undefined in the last pass. */
  readonly waiting?: Waiting;
}

interface Judged<C extends Content, K extends string> {
  readonly line: ImportLine;
  readonly change: Change<C, K>;
}

/** Lines to write together. It contains each record only once, so that the lines of a record take effect in order. */
class Batch<C extends Content, K extends string> {
  readonly #lines = new Map<string, Judged<C, K>>();
  #characters = 0;

  has(change: Change): boolean {
    return this.#lines.has(keyOf(change));
  }

  add(judged: Judged<C, K>): void {
    this.#lines.set(keyOf(judged.change), judged);
    this.#characters += judged.line.json.length;
  }

  isFull(lines: number): boolean {
    return this.#lines.size >= lines || this.#characters >= MAX_BATCH_CHARACTERS;
  }

  /** Returns the lines and removes them. */
  take(): readonly Judged<C, K>[] {
    const taken = [...this.#lines.values()];
    this.#lines.clear();
    this.#characters = 0;
    return taken;
  }
}

function keyOf({ kind, id }: Change): string {
  return `${kind}/${id}`;
}

async function* judgeLines<C extends Content, K extends string>(
  options: ImportOptions<C, K>,
  lines: AsyncIterable<ImportLine>,
  pass: Pass,
): AsyncGenerator<ImportEvent, void, undefined> {
  const batch = new Batch<C, K>();
  const { batchSize = DEFAULT_SIZE } = options;
  for await (const line of lines) {
    if (line.json.trim() === '') continue;
    const judged = options.judge(line.json, line);
    if ('refusal' in judged) {
      yield reject(pass, line, judged.refusal);
      continue;
    }
    const { ifVersion } = line;
    const change = ifVersion === undefined ? judged.change : { ...judged.change, ifVersion };
    const { unknown } = judged;
    // Warnings about waiting lines were reported when the lines were first read.
    if (pass.waiting !== undefined) for (const message of unknown) yield { kind: 'warning', warning: { line, change, message } };
    if (batch.has(change)) yield* write(options, batch.take(), pass);
    if (pass.waiting?.any === true && pass.waiting.keys.has(orderKeyOf(pass.waiting, change))) await wait(pass.waiting, line, change);
    else batch.add({ line, change });
    if (batch.isFull(batchSize.lines)) yield* write(options, batch.take(), pass);
  }
  yield* write(options, batch.take(), pass);
}

async function* write<C extends Content, K extends string>(
  { apply, batchSize }: ImportOptions<C, K>,
  judged: readonly Judged<C, K>[],
  pass: Pass,
): AsyncGenerator<ImportEvent, void, undefined> {
  if (judged.length === 0) return;
  const changes = judged.map(({ change }) => change);
  const outcomes = await applyWithRetries(apply, changes, { mayWait: pass.waiting !== undefined });
  batchSize?.adapt(changes);
  for (const [index, { line, change }] of judged.entries()) {
    const outcome = outcomes[index];
    if ((outcome?.kind === 'unresolved' || outcome?.kind === 'behind') && pass.waiting !== undefined)
      await wait(pass.waiting, line, change);
    else if (outcome?.kind === 'unresolved' || outcome?.kind === 'rejected') yield reject(pass, line, refusalOf(line.json, outcome.reason));
    else pass.tally.accept(change.institutionId, change.kind);
  }
  yield { kind: 'progress', lines: pass.tally.judged };
}

/**
 * Retries while a database is unavailable, so that a short outage does not end an import that takes minutes. Changes that were written
 * before the failure are recognised when they are repeated.
 */
async function applyWithRetries<C extends Content, K extends string>(
  apply: Apply<C, K>,
  changes: readonly Change<C, K>[],
  terms: ApplyTerms,
): Promise<readonly Outcome[]> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await apply(changes, terms);
    } catch (caught) {
      if (AppError.from(caught).code !== 'unavailable') throw caught;
      await delay(pauseMs);
    }
  }
  return apply(changes, terms);
}

function reject({ tally }: Pass, line: ImportLine, refusal: Refusal): ImportEvent {
  tally.reject(refusal.institutionId);
  return { kind: 'rejected', line, refusal };
}

async function wait(waiting: Waiting, line: ImportLine, change: Change): Promise<void> {
  waiting.any = true;
  waiting.keys.add(orderKeyOf(waiting, change));
  await waiting.setAside.add(change.kind, line);
}

/** Identifies the lines that must stay in order: those with the same key as a waiting line wait, too. */
function orderKeyOf({ orders }: Waiting, { kind, institutionId, id }: Change): string {
  return `${kind}/${orders.get(kind) === 'institution' ? institutionId : id}`;
}
