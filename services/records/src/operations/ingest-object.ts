import { AppError } from '@stechuhr/kernel';
import { judgeLine, type Change } from '../domain/line.js';
import { applyChanges } from './apply-changes.js';
import type { WriteContext } from './ports.js';

/** An object that arrived live, with what its subject says about it. */
export interface LiveObject {
  readonly institutionId: string;
  readonly kind: string;
  /** Its place in the stream: of two writes to one record the later one counts. */
  readonly sequence: number;
  readonly json: string;
}

/**
 * Judges and writes one live object as an import does.
 *
 * @throws AppError `invalid` when it can never be accepted, `precondition` when it names something that is not there yet
 */
export async function ingestObject(context: WriteContext, object: LiveObject): Promise<void> {
  const judged = judgeLine(object.json);
  if ('refusal' in judged) throw new AppError('invalid', judged.refusal.reason);
  const { change } = judged;
  if (change.institutionId !== object.institutionId.toLowerCase()) throw mismatch('institution_id');
  if (change.kind !== object.kind) throw mismatch('kind');
  await write(context, { ...change, sequence: object.sequence });
}

function mismatch(field: string): AppError {
  return new AppError('invalid', `${field} is not that of the subject.`);
}

async function write(context: WriteContext, change: Change): Promise<void> {
  const [outcome] = await applyChanges(context, [change]);
  if (outcome?.kind === 'rejected') throw new AppError('invalid', outcome.reason);
  if (outcome?.kind === 'unresolved') throw new AppError('precondition', outcome.reason);
}
