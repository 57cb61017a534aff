import { describe, expect, it } from '@jest/globals';
import { AppError } from '@stechuhr/kernel';
import { directoryRoom } from './directory-room.js';

describe('directoryRoom', () => {
  it('counts texts, also those of nested objects', () => {
    const sizes: number[] = [];
    const take = directoryRoom((bytes) => sizes.push(bytes));
    take({ id: 'x'.repeat(36), hiredOn: 18_262, leftOn: null, customFields: { position: 'x'.repeat(100) } });
    // Two objects of 80 bytes, and two texts with 20 bytes besides their characters.
    expect(sizes).toEqual([2 * 80 + 2 * 20 + 36 + 100]);
  });

  it('refuses the master data of an export that has more than 48 MiB', () => {
    let reserved = 0;
    const take = directoryRoom((bytes) => (reserved += bytes));
    const record = { text: 'x'.repeat(1024 * 1024 - 100) };
    for (let count = 0; count < 48; count++) take(record);
    expect(reserved).toBe(48 * 1024 * 1024);
    expect(() => take(record)).toThrow(
      AppError.invalid({
        non_field_errors: ['The master data of the export has more than 50331648 bytes. Show and filter by fewer custom fields.'],
      }),
    );
  });
});
