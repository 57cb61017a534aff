import { describe, expect, it } from '@jest/globals';
import type { EntryValue } from './entry-value.js';
import { groupHash, groupId, newestOfGroups, type Entry } from './entry.js';

const TAG = '11111111-1111-4111-8111-111111111111';
const MAX = '22222222-2222-4222-8222-222222222222';
/** 2026-03-02 */
const DATE = 20_514;

function entry(value: EntryValue, given: Partial<Entry> = {}): Entry {
  const times = { submittedAt: null, createdAt: 0, modifiedAt: 0 };
  const who = { authorId: null, onBehalfOfId: MAX, burned: false };
  return { id: 'e', tagId: TAG, date: DATE, fieldId: value.type, value, ...who, ...times, sequence: 0, ...given };
}

const text = (value: string): EntryValue => ({ type: 'string', value });
const hours = (value: number): EntryValue => {
  return { type: 'employee-working-times', hours: value, employeeAccountId: '', employeeName: '', employeePosition: '' };
};
const reading: EntryValue = {
  ...{ type: 'weather', time: '07:00', temperature: 3, weatherCondition: null },
  ...{ precipitation: null, cloudCover: null, wind: null },
};
const photo: EntryValue = {
  ...{ type: 'image', imageId: 'img', imageKey: null, thumbKey: null },
  ...{ latitude: null, longitude: null, takenAt: null },
};

describe('groupId', () => {
  const cases: readonly (readonly [EntryValue, string])[] = [
    [reading, '07:00'],
    [hours(8), MAX],
    [{ type: 'subcontractors', name: 'Kran GmbH', employees: 2, hours: null, comment: null }, `${MAX}|Kran GmbH`],
    [{ type: 'activities', text: 'a|b' }, `${MAX}|a|b`],
    [text('Regen'), `${MAX}|Regen`],
    [photo, `${MAX}|img`],
    [{ type: 'signature', image: 'data:image/png;base64,AAAA' }, MAX],
  ];
  it.each(cases)('of %j ends in its grouping values', (value, tail) => {
    expect(groupId(entry(value))).toBe(`2026-03-02|${TAG}|${tail}`);
  });

  it('has an empty part if there is no employee', () => {
    expect(groupId(entry(text('Regen'), { onBehalfOfId: null }))).toBe(`2026-03-02|${TAG}||Regen`);
  });
});

describe('groupHash', () => {
  it('depends only on the grouping values', () => {
    const hash = groupHash(entry(hours(8)));
    expect(groupHash(entry(hours(7), { id: 'other', authorId: MAX, burned: true, sequence: 9 }))).toBe(hash);
    const others = [
      entry(hours(8), { date: DATE + 1 }),
      entry(hours(8), { tagId: MAX }),
      entry(hours(8), { fieldId: 'other' }),
      entry(hours(8), { onBehalfOfId: null }),
      entry({ type: 'signature', image: '' }, { fieldId: 'employee-working-times' }),
    ];
    expect(new Set([hash, ...others.map(groupHash)]).size).toBe(6);
  });

  it('distinguishes values that contain separators', () => {
    const [one, other] = [text('a|b'), text('b')].map((value, at) => entry(value, { onBehalfOfId: at === 0 ? null : 'a' }));
    expect(one && other && groupHash(one) === groupHash(other)).toBe(false);
  });
});

describe('newestOfGroups', () => {
  it('depends only on the sequence, not on the order and the times of entries', () => {
    const entries = [
      entry(hours(6), { id: 'c', sequence: 7, createdAt: 1 }),
      entry(hours(8), { id: 'a', sequence: 2, createdAt: 9 }),
      entry(text('x'), { id: 'b', sequence: 5 }),
    ];
    expect(newestOfGroups(entries).map(({ id }) => id)).toEqual(['b', 'c']);
  });
});
