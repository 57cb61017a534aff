import { describe, expect, it } from '@jest/globals';
import { requireCaller, roleName, roles } from './caller.js';
import { Role } from './gen/stechuhr/common/v1/caller.js';

const visibility = { role: Role.ROLE_MANAGER, departmentIds: [], projects: undefined };
const caller = { institutionId: 'i', accountId: 'a', visibility };

describe('requireCaller', () => {
  it('returns the caller of a complete call', () => {
    expect(requireCaller(caller)).toEqual(caller);
  });

  it.each([undefined, { ...caller, visibility: undefined }])('throws an internal error for an incomplete caller: %j', (incomplete) => {
    expect(() => requireCaller(incomplete)).toThrow(expect.objectContaining({ code: 'internal', message: 'Internal error.' }));
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
