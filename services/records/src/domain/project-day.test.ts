import { describe, expect, it } from '@jest/globals';
import { seesProject, touches } from './project-day.js';

describe('touches', () => {
  const day = { from: 100, to: 200 };
  it.each([
    ['ends as the day begins', 50, 100, false],
    ['ends in it', 50, 101, true],
    ['begins in it', 199, 300, true],
    ['begins as the next one does', 200, 300, false],
    ['has no length, at its start', 100, 100, true],
    ['still lasts', 50, 0, true],
    ['will last', 200, 0, false],
  ])('checks a shift that %s', (_, startedAt, endedAt, expected) => {
    expect(touches({ startedAt, endedAt }, day)).toBe(expected);
  });
});

describe('seesProject', () => {
  const caller = { institutionId: 'i', accountId: 'a', departmentIds: null };
  it('checks the list of projects, if there is one', () => {
    const seen = [null, ['p'], ['q'], []].map((projectIds) => seesProject({ ...caller, projectIds }, 'p'));
    expect(seen).toEqual([true, true, false, false]);
  });
});
