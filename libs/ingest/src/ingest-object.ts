import { AppError } from '@stechuhr/kernel';
import type { Apply } from './apply.js';
import type { LineJudge } from './judge-line.js';
import type { Content } from './kinds/kind.js';

/** A live object, with the institution and kind of its subject. */
export interface LiveObject {
  readonly institutionId: string;
  readonly kind: string;
  /** Its place in the stream of live objects: of two writes to one record the later one counts. */
  readonly sequence: number;
  readonly json: string;
}

/** Validates and writes live objects, in the same way as import lines. */
export interface Ingest<C extends Content = Content, K extends string = string> {
  readonly judge: LineJudge<C, K>;
  readonly apply: Apply<C, K>;
}

/**
 * Validates and writes one live object as an import does.
 *
 * @throws AppError `invalid` when it can never be accepted, `precondition` when it names something that is not there yet
 */
export async function ingestObject<C extends Content, K extends string>(ingest: Ingest<C, K>, object: LiveObject): Promise<void> {
  const judged = ingest.judge(object.json);
  if ('refusal' in judged) throw new AppError('invalid', judged.refusal.reason);
  const { change } = judged;
  if (change.institutionId !== object.institutionId.toLowerCase()) throw mismatch('institution_id');
  if (change.kind !== object.kind) throw mismatch('kind');
  const [outcome] = await ingest.apply([{ ...change, sequence: object.sequence }], { mayWait: false });
  if (outcome?.kind === 'rejected') throw new AppError('invalid', outcome.reason);
  if (outcome?.kind === 'unresolved') throw new AppError('precondition', outcome.reason);
}

function mismatch(field: string): AppError {
  return new AppError('invalid', `${field} is not that of the subject.`);
}
