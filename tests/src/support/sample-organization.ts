import { buildAbsenceApplication } from '@stechuhr/testing';
import { Organization } from './organization.js';

/** An organization with records in every group of the API. */
export interface SampleOrganization {
  readonly org: Organization;
  readonly admin: string;
  readonly employee: string;
  readonly project: string;
  /** A day with working time on the project, `YYYY-MM-DD`. */
  readonly day: string;
  readonly lines: readonly object[];
}

const [ADMIN, OFFICE, ABEL, SITE] = [1, 11, 21, 41];
const DAY = '2026-10-05';

export function sampleOrganization(number: number): SampleOrganization {
  const org = new Organization(number);
  const settings = {
    id: org.id(29),
    label: 'Urlaub',
    missing_type: 'vacation',
    amount: '30.00',
    priority: 1,
    cycle_start: '01-01',
    valid_from: '2024-01-01',
    expiry: { months: 15 },
    proration: 'burlg',
  };
  const shift = org.shift(61, ABEL, { date: DAY, start: '07:00', end: '17:30', comment: 'Schalung' });
  return {
    org,
    admin: org.id(ADMIN),
    employee: org.id(ABEL),
    project: org.id(SITE),
    day: DAY,
    lines: [
      org.institution(),
      org.account(ADMIN, 'admin'),
      org.department(OFFICE, 'Büro'),
      org.employee(ABEL, 'Anna', 'Abel', {
        department_id: org.id(OFFICE),
        accounting_number: '77',
        custom_fields: { position: 'Polierin' },
        entitlements: [settings],
      }),
      org.project(SITE, 'H-1'),
      org.contract(51, ABEL),
      {
        ...shift,
        timespans: shift.timespans.map((timespan) => ({ ...timespan, project_id: org.id(SITE) })),
        edits: [{ at: '2026-10-06T08:00:00', by: 'manager' }],
      },
      org.absence(71, ABEL, { starts_on: '2026-10-12', ends_on: '2026-10-16' }),
      buildAbsenceApplication({ institution_id: org.id(0), id: org.id(81), employee_id: org.id(ABEL) }),
    ],
  };
}
