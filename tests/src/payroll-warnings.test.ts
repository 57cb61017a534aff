import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@stechuhr/testing';
import { call, query } from './support/http.js';
import { Organization } from './support/organization.js';
import type { UsedPlatform } from './support/platform.js';
import { sharedPlatform } from './support/shared-platform.js';

const org = new Organization(48);
const ADMIN = 1;
const [ABEL, BLAU, CRON, DORN] = [21, 22, 23, 24];

/**
 * Two employees with the same accounting number, one of whom has an absence without a wage code; one without a number; and one who worked
 * eleven hours without a break.
 */
const lines = [
  org.institution(),
  org.account(ADMIN, 'admin'),
  org.employee(ABEL, 'Anna', 'Abel', { accounting_number: '7' }),
  org.employee(BLAU, 'Bernd', 'Blau', { accounting_number: '007' }),
  org.employee(CRON, 'Carla', 'Cron', { accounting_number: null }),
  org.employee(DORN, 'Dora', 'Dorn', { accounting_number: '8' }),
  org.absence(31, ABEL, { missing_type: 'unpaid', starts_on: '2025-05-12', ends_on: '2025-05-12' }),
  org.shift(32, DORN, { date: '2025-05-05', start: '08:00', end: '19:00' }),
];

const MAY = { daterange: '2025-05-01|2025-05-31', response_only: 'true' };
const exporters = [
  ['payroll_a', {}],
  ['payroll_b', { config: '1234567|12345' }],
] as const;

let platform: UsedPlatform;
let token: string;
let importWarnings: readonly string[];

beforeAll(async () => {
  platform = await sharedPlatform();
  const { rejected, warnings } = await platform.importLines(lines);
  expect(rejected).toEqual([]);
  importWarnings = warnings.map(({ message }) => message);
  token = await platform.issueToken(org.id(ADMIN));
});

/** Returns the warnings in the header. The request is repeated if the review took longer than two seconds, for which an export waits. */
function warningsInHeader(exporter: string, parameters: Readonly<Record<string, string>>, method = 'GET'): Promise<readonly string[]> {
  return waitFor(async () => {
    const { status, headers } = await call(`${platform.baseUrl}/exports/${exporter}/?${query({ ...MAY, ...parameters })}`, {
      token,
      method,
    });
    expect(status).toBe(200);
    const header = String(headers['x-export-warnings'] ?? '');
    return header.includes('review-unknown') ? undefined : header.split(', ').filter((item) => item !== '');
  });
}

/** Returns the warnings of the command line, sorted by number (007, 7). */
async function warningsOfCommand(exporter: string, parameters: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const more = Object.entries(parameters).flatMap(([name, value]) => ['--param', `${name}=${value}`]);
  const { exitCode, stderr } = await platform.cli(['export', exporter, '--account', org.id(ADMIN), '--daterange', MAY.daterange, ...more]);
  expect(exitCode).toBe(0);
  return stderr.split('\n').filter((line) => line.startsWith('Warning: '));
}

describe('problems of a payroll file', () => {
  it('are reported during an import if already known: shared numbers', () => {
    expect(importWarnings).toEqual(['The accounting number 7 is shared by 2 employees: Anna Abel (21), Bernd Blau (22).']);
  });

  it.each(exporters)('are reported by %s in X-Export-Warnings', async (exporter, parameters) => {
    const expected = [
      'staff-left-out;count=1;about="no-accounting-number"',
      'shared-accounting-number;count=1;about="7"',
      'absence-without-wage-code;count=1;about="unpaid"',
      'open-review-errors;count=1;about="2025-05"',
    ];
    expect(await warningsInHeader(exporter, parameters)).toEqual(expected);
    expect(await warningsInHeader(exporter, parameters, 'HEAD')).toEqual(expected);
  });

  it.each(exporters)('are printed by the CLI before it writes %s', async (exporter, parameters) => {
    expect(await warningsOfCommand(exporter, parameters)).toEqual([
      'Warning: 1 employee without accounting number is not in the file: Carla Cron (23).',
      'Warning: The accounting number 7 is shared by 2 employees, whom a payroll program adds up: Bernd Blau (22), Anna Abel (21).',
      `Warning: Absences of type Unbezahlt (unpaid) have no wage code in ${exporter} and are not in the file: Anna Abel (21).`,
      'Warning: The review of 2025-05 has 2 open errors. See: stechuhr review --month 2025-05',
    ]);
  });

  it('do not include a review whose errors are suppressed', async () => {
    const headers = { 'content-type': 'application/json' };
    for (const code of ['excessive-daily-hours', 'insufficient-break']) {
      const body = JSON.stringify({ code, valid_from: '2025-05-01' });
      expect(await call(`${platform.baseUrl}/reviews/suppressions/`, { method: 'POST', token, body, headers })).toMatchObject({
        status: 201,
      });
    }
    expect((await warningsInHeader('payroll_a', {})).filter((item) => item.includes('review'))).toEqual([]);
    expect((await warningsOfCommand('payroll_a', {})).filter((line) => line.includes('review'))).toEqual([]);
  });
});
