import { AppError } from '@stechuhr/kernel';

/**
 * Parses JSON. The numbers of these names are answered as they are written: `1e2` and `1.00` are no plain integers, which the number that
 * JSON makes of them would hide.
 *
 * @throws AppError `invalid`
 */
export function readJson(text: string, writtenNumbers: readonly string[] = []): unknown {
  try {
    return JSON.parse(text, (name, value: unknown, context?: { readonly source?: string }) =>
      typeof value === 'number' && writtenNumbers.includes(name) ? (context?.source ?? value) : value,
    );
  } catch (cause) {
    throw new AppError('invalid', 'JSON parse error - the body is not JSON.', { cause });
  }
}
