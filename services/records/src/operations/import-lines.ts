import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@stechuhr/kernel';
import { kindNames } from '../domain/kind.js';
import { judgeLine, type Change, type Refusal } from '../domain/line.js';
import { WaitingRecords } from '../domain/waiting-records.js';
import { applyChanges } from './apply-changes.js';
import { BatchSize } from './batch-size.js';
import { ImportTally } from './import-tally.js';
import type { Outcome } from './outcome.js';
import type { ImportContext, ImportLine, SetAside } from './ports.js';

const PAUSES_MS = [500, 2_000, 5_000];

export type ImportEvent =
  | ({ readonly kind: 'rejected' } & RejectedLine)
  | { readonly kind: 'progress'; readonly lines: number }
  | { readonly kind: 'summary'; readonly accepted: Readonly<Record<string, number>>; readonly rejected: number };

interface RejectedLine {
  readonly line: ImportLine;
  readonly refusal: Refusal;
}

/**
 * Takes lines in any order. A line whose references are not there yet waits, together with all later lines of the same record, until every
 * line was read; it is rejected when they are not there then either. What was accepted before the caller leaves stays.
 */
export async function* importLines(context: ImportContext, lines: AsyncIterable<ImportLine>): AsyncGenerator<ImportEvent> {
  const setAside = context.openSetAside();
  const tally = new ImportTally();
  const size = new BatchSize();
  const waiting: Waiting = { setAside, records: new WaitingRecords(), any: false };
  try {
    yield* judgeLines(context, lines, { tally, size, waiting });
    for (const kind of kindNames) yield* judgeLines(context, setAside.lines(kind), { tally, size });
    for (const [institutionId, { accepted, rejected }] of tally.byInstitution) {
      await context.records.announce(institutionId, context.events.importFinished(institutionId, accepted, rejected));
      context.notifyOutbox('institution');
    }
    yield { kind: 'summary', ...tally.total };
  } finally {
    await setAside.close();
  }
}

interface Waiting {
  readonly setAside: SetAside;
  readonly records: WaitingRecords;
  any: boolean;
}

interface Pass {
  readonly tally: ImportTally;
  readonly size: BatchSize;
  /** Where lines may wait; not in the last pass. */
  readonly waiting?: Waiting;
}

interface Judged {
  readonly line: ImportLine;
  readonly change: Change;
}

async function* judgeLines(context: ImportContext, lines: AsyncIterable<ImportLine>, pass: Pass): AsyncGenerator<ImportEvent> {
  const batch = new Map<string, Judged>();
  for await (const line of lines) {
    if (line.json.trim() === '') continue;
    const judged = judgeLine(line.json);
    if ('refusal' in judged) {
      yield reject(pass, { line, refusal: judged.refusal });
      continue;
    }
    const key = keyOf(judged.change);
    // A record occurs in a batch once, so that its lines take effect in their order.
    if (batch.has(key)) yield* write(context, batch, pass);
    if (pass.waiting?.any === true && pass.waiting.records.has(key)) await pass.waiting.setAside.add(judged.change.kind, line);
    else batch.set(key, { line, change: judged.change });
    if (batch.size >= pass.size.lines) yield* write(context, batch, pass);
  }
  yield* write(context, batch, pass);
}

async function* write(context: ImportContext, batch: Map<string, Judged>, pass: Pass): AsyncGenerator<ImportEvent> {
  const judged = [...batch.values()];
  batch.clear();
  if (judged.length === 0) return;
  const changes = judged.map(({ change }) => change);
  const outcomes = await applySteadily(context, changes);
  pass.size.adapt(changes);
  for (const [index, { line, change }] of judged.entries()) {
    const outcome = outcomes[index];
    if (outcome?.kind === 'unresolved' && pass.waiting !== undefined) await wait(pass.waiting, line, change);
    else if (outcome?.kind === 'unresolved' || outcome?.kind === 'rejected') {
      yield reject(pass, { line, refusal: { ...change, reason: outcome.reason } });
    } else pass.tally.accept(change.institutionId, change.kind);
  }
  yield { kind: 'progress', lines: pass.tally.judged };
}

/** A short absence of the database does not end an import of minutes. What was written before counts as known when it is tried again. */
async function applySteadily(context: ImportContext, changes: readonly Change[]): Promise<Outcome[]> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await applyChanges(context, changes);
    } catch (caught) {
      if (AppError.from(caught).code !== 'unavailable') throw caught;
      await delay(pauseMs);
    }
  }
  return applyChanges(context, changes);
}

function reject({ tally }: Pass, rejected: RejectedLine): ImportEvent {
  tally.reject(rejected.refusal.institutionId);
  return { kind: 'rejected', ...rejected };
}

async function wait(waiting: Waiting, line: ImportLine, change: Change): Promise<void> {
  waiting.any = true;
  waiting.records.add(keyOf(change));
  await waiting.setAside.add(change.kind, line);
}

function keyOf({ kind, id }: Change): string {
  return `${kind}/${id}`;
}
