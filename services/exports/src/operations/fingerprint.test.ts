import { describe, expect, it } from '@jest/globals';
import { commonV1 } from '@stechuhr/contracts';
import { fingerprintOf } from './fingerprint.js';

const { ROLE_ADMIN, ROLE_DEPARTMENT_LEADER, ROLE_MANAGER } = commonV1.Role;
const request = { exporter: 'generic', parameters: { daterange: '2026-10-01|2026-10-31', is_async: 'true' } };
const anna = { institutionId: 'i', accountId: 'a' };
const seen = (visibility: Partial<commonV1.Visibility>): commonV1.Visibility => ({
  role: ROLE_MANAGER,
  departmentIds: [],
  projects: undefined,
  ...visibility,
});
const of = (visibility: Partial<commonV1.Visibility>): string => fingerprintOf({ ...anna, visibility: seen(visibility) }, request);

describe('the fingerprint of an export', () => {
  it('depends on everything that determines the visibility of the caller', () => {
    const views = [
      {},
      { role: ROLE_ADMIN },
      { role: ROLE_DEPARTMENT_LEADER },
      { role: ROLE_DEPARTMENT_LEADER, departmentIds: ['d'] },
      { role: ROLE_DEPARTMENT_LEADER, departmentIds: ['d', 'e'] },
      { projects: { projectIds: [] } },
      { projects: { projectIds: ['p'] } },
      { projects: { projectIds: ['p', 'q'] } },
      { departmentIds: ['p'] },
    ];
    const others = [
      { ...anna, accountId: 'b' },
      { ...anna, institutionId: 'j' },
    ];
    const all = [...views.map(of), ...others.map((caller) => fingerprintOf({ ...caller, visibility: seen({}) }, request))];
    expect(new Set(all).size).toBe(all.length);
  });

  it('does not depend on the order of departments and projects', () => {
    expect(of({ departmentIds: ['e', 'd'], projects: { projectIds: ['q', 'p'] } })).toBe(
      of({ departmentIds: ['d', 'e'], projects: { projectIds: ['p', 'q'] } }),
    );
  });
});
