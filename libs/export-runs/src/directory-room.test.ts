import { describe, expect, it } from '@jest/globals';
import { AppError } from '@stechuhr/kernel';
import { directoryRoom } from './directory-room.js';

describe('directoryRoom', () => {
  it('counts texts, also those of nested objects', () => {
    const sizes: number[] = [];
    const take = directoryRoom({ projects: false, customFields: new Set() }, (bytes) => sizes.push(bytes));
    take({ id: 'x'.repeat(36), hiredOn: 18_262, leftOn: null, customFields: { position: 'x'.repeat(100) } });
    // Two objects of 80 bytes, and two texts with 20 bytes besides their characters.
    expect(sizes).toEqual([2 * 80 + 2 * 20 + 36 + 100]);
  });

  it.each<[string[], boolean, string]>([
    [[], false, 'Use the token of an account that sees fewer departments.'],
    [['helmet'], false, 'Show and filter by fewer custom fields. Use the token of an account that sees fewer departments.'],
    [[], true, 'Leave out projects. Use the token of an account that sees fewer departments.'],
  ])('refuses more than 48 MiB of master data; with the custom fields %j and projects %s it advises: %s', (names, projects, advice) => {
    let reserved = 0;
    const take = directoryRoom({ projects, customFields: new Set(names) }, (bytes) => (reserved += bytes));
    const record = { text: 'x'.repeat(1024 * 1024 - 100) };
    for (let count = 0; count < 48; count++) take(record);
    expect(reserved).toBe(48 * 1024 * 1024);
    expect(() => take(record)).toThrow(
      AppError.invalid({ non_field_errors: [`The master data of the export has more than 50331648 bytes. ${advice}`] }),
    );
  });
});
