import { readJson } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';

/** @throws AppError `invalid` */
export function parseJson(json: string): unknown {
  try {
    return readJson(json);
  } catch (cause) {
    throw new AppError('invalid', 'JSON parse error - the body is no JSON.', { cause });
  }
}
