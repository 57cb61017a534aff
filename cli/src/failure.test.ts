import { describe, expect, it } from '@jest/globals';
import { AppError } from '@stechuhr/kernel';
import { Failure } from './failure.js';

describe('Failure.fromPlatform', () => {
  const invalid = (details: Record<string, string[]>) => AppError.invalid(details);

  it.each<[string, Record<string, string[]>, string]>([
    ['an option of the same name', { expires_at: ['No.'], account_id: ['No.'] }, '--expires-at: No.\n--account: No.'],
    ['no option for what concerns several fields', { non_field_errors: ['Too many.'] }, 'Too many.'],
  ])('names %s', (_, details, message) => {
    expect(Failure.fromPlatform(invalid(details))).toMatchObject({ exitCode: 2, message });
  });

  it('names the options of the command, in the words of a problem too', () => {
    const names = { optionOf: (field: string) => `--${field}-given`, words: { 'is_async=true': '--async', date_from: '--from' } };
    const details = { daterange: ['A long one needs is_async=true.'], to: ['It may not be before date_from.'], non_field_errors: ['No.'] };
    expect(Failure.fromPlatform(invalid(details), names).message).toBe(
      '--daterange-given: A long one needs --async.\n--to-given: It may not be before --from.\nNo.',
    );
  });
});
