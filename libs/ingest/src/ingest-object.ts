import { AppError } from '@stechuhr/kernel';
import type { Apply } from './apply.js';
import { applyInGroups, type ApplyOne } from './apply-in-groups.js';
import type { LineJudge } from './judge-line.js';
import type { Content } from './kinds/kind.js';
import type { OrderedKind } from './waiting-changes.js';

/** A live object, with the institution and kind from its subject. */
export interface LiveObject {
  readonly institutionId: string;
  readonly kind: string;
  /** Its sequence in the stream of live objects: the record keeps the write with the higher sequence. */
  readonly sequence: number;
  readonly json: string;
}

/** Validates and writes live objects, in the same way as import lines. */
export interface Ingest<C extends Content = Content, K extends string = string> {
  readonly judge: LineJudge<C, K>;
  readonly apply: Apply<C, K>;
  readonly kinds: readonly OrderedKind[];
}

/**
 * Validates and writes a live object as an import does.
 *
 * @throws AppError `invalid` when it can never be accepted, `precondition` when it references something that does not exist yet
 */
export type IngestObject = (object: LiveObject) => Promise<void>;

/** Creates a function that ingests live objects. Objects that wait at the same time are written together. */
export function ingestObjects<C extends Content, K extends string>({ judge, apply, kinds }: Ingest<C, K>): IngestObject {
  const applyOne = applyInGroups(apply, kinds);
  return (object) => ingestObject(judge, applyOne, object);
}

async function ingestObject<C extends Content, K extends string>(
  judge: LineJudge<C, K>,
  applyOne: ApplyOne<C, K>,
  object: LiveObject,
): Promise<void> {
  const judged = judge(object.json);
  if ('refusal' in judged) throw new AppError('invalid', judged.refusal.reason);
  const { change } = judged;
  if (change.institutionId !== object.institutionId.toLowerCase()) throw mismatch('institution_id');
  if (change.kind !== object.kind) throw mismatch('kind');
  const outcome = await applyOne({ ...change, sequence: object.sequence });
  if (outcome.kind === 'rejected') throw new AppError('invalid', outcome.reason);
  if (outcome.kind === 'unresolved') throw new AppError('precondition', outcome.reason);
}

function mismatch(field: string): AppError {
  return new AppError('invalid', `${field} is not that of the subject.`);
}
