import { describe, expect, it } from '@jest/globals';
import { monthBefore, welcome } from './welcome.js';

describe('monthBefore', () => {
  it.each([
    [new Date(2026, 0, 31), ['2025-12-01', '2025-12-31']],
    [new Date(2026, 2, 31), ['2026-02-01', '2026-02-28']],
    [new Date(2028, 2, 1), ['2028-02-01', '2028-02-29']],
    [new Date(2026, 10, 21, 23, 59), ['2026-10-01', '2026-10-31']],
  ])('returns the first and last day of the month before %s', (today, expected) => {
    expect(monthBefore(today)).toEqual(expected);
  });
});

describe('welcome', () => {
  const run = { ready: true, pid: 1, base_url: 'http://127.0.0.1:8080/api/v2', services: {}, infra: {} as never } as const;

  it('shows three commands with the token', () => {
    const demo = { institution_id: 'i', account_id: 'a', token: 'stu_x' };
    const surroundings = { home: '/home', today: new Date(2026, 10, 21) };
    for (const reportId of [undefined, 'a|2026-11-20']) {
      const text = welcome({ ...run, demo }, { ...surroundings, reportId });
      expect(text.match(/^curl .*Token stu_x' 'http.*$/gm)).toHaveLength(3);
      expect(text).toContain('daterange=2026-10-01%7C2026-10-31');
      expect(text.includes(`'${run.base_url}/daily-reports/reports/a%7C2026-11-20/pdf/'`)).toBe(reportId !== undefined);
    }
  });

  it('shows the addresses of the observability tools, and no traces if spans are sent elsewhere', () => {
    const at = { dashboards: 'http://p/vmui/', prometheus: 'http://m', otlp: 'http://p', grafana: null };
    const surroundings = { home: '/home', today: new Date(), reportId: undefined };
    const text = welcome({ ...run, demo: null, observe: { ...at, traces: 'http://p' } }, surroundings);
    expect(text).toMatch(/Dashboards: http:\/\/p\/vmui\/\nMetrics and alerts: http:\/\/m\nTraces: http:\/\/p$/);
    expect(welcome({ ...run, demo: null, observe: { ...at, traces: null } }, surroundings)).not.toContain('Traces');
  });

  it('shows no commands for an empty platform', () => {
    expect(welcome({ ...run, demo: null }, { home: '/home', today: new Date(), reportId: undefined })).not.toContain('curl');
  });
});
