import { AppError } from '@stechuhr/kernel';
import { judgeLine, SETTINGS_KIND } from '../domain/settings-line.js';
import { missingReference, writeSettings, type SettingsContext } from './write-settings.js';

/** An object that arrived live, with what its subject says about it. */
export interface LiveObject {
  readonly institutionId: string;
  readonly kind: string;
  /** Its place in the stream of live objects: of two writes the later one counts. */
  readonly sequence: number;
  readonly json: string;
}

/**
 * Judges and writes one live object as an import does.
 *
 * @throws AppError `invalid` when it can never be accepted, `precondition` when its institution is not there yet
 */
export async function ingestSettings(context: SettingsContext, object: LiveObject): Promise<void> {
  const judged = judgeLine(object.json);
  if ('refusal' in judged) throw new AppError('invalid', judged.refusal.reason);
  const { change } = judged;
  if (change.institutionId !== object.institutionId.toLowerCase()) throw mismatch('institution_id');
  if (object.kind !== SETTINGS_KIND) throw mismatch('kind');
  const reason = await missingReference(context, change);
  if (reason !== undefined) throw new AppError('precondition', reason);
  await writeSettings(context, change, object.sequence);
}

function mismatch(field: string): AppError {
  return new AppError('invalid', `${field} is not that of the subject.`);
}
