import { describe, expect, it } from '@jest/globals';
import { namedCaller, requireCaller, roleName, roles } from './caller.js';
import { Role } from './gen/stechuhr/common/v1/caller.js';

const visibility = { role: Role.ROLE_MANAGER, departmentIds: [], projects: undefined };
const INSTITUTION = '0a000000-0000-4000-8000-000000000001';
const ACCOUNT = '0b000000-0000-4000-8000-000000000002';
const caller = { institutionId: INSTITUTION, accountId: ACCOUNT, visibility };

describe('requireCaller', () => {
  it('returns the caller of a complete call', () => {
    expect(requireCaller(caller)).toEqual(caller);
  });

  it('returns ids as they are stored', () => {
    expect(requireCaller({ ...caller, institutionId: INSTITUTION.toUpperCase(), accountId: ACCOUNT.toUpperCase() })).toEqual(caller);
  });

  it.each([
    undefined,
    { ...caller, visibility: undefined },
    { ...caller, visibility: { ...visibility, role: Role.ROLE_UNSPECIFIED } },
    { ...caller, visibility: { ...visibility, role: 4 as Role } },
    { ...caller, institutionId: '' },
    { ...caller, institutionId: `${INSTITUTION}.records` },
    { ...caller, institutionId: '*' },
    { ...caller, accountId: '' },
    { ...caller, accountId: '../b' },
  ])('throws an internal error for an incomplete caller: %j', (incomplete) => {
    expect(() => requireCaller(incomplete)).toThrow(expect.objectContaining({ code: 'internal', message: 'Internal error.' }));
  });
});

describe('namedCaller', () => {
  it('returns any ids of a complete caller', () => {
    expect(namedCaller({ ...caller, institutionId: 'x', accountId: '' })).toEqual({ ...caller, institutionId: 'x', accountId: '' });
    expect(() => namedCaller({ ...caller, visibility: undefined })).toThrow(expect.objectContaining({ code: 'internal' }));
  });
});

describe('roleName', () => {
  it.each(['admin', 'manager', 'department_leader'] as const)('returns the name of %s', (name) => {
    expect(roleName(roles[name])).toBe(name);
  });

  it('throws an internal error for any other role', () => {
    expect(() => roleName(Role.ROLE_UNSPECIFIED)).toThrow(expect.objectContaining({ code: 'internal' }));
  });
});
