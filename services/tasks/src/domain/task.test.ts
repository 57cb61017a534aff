import { describe, expect, it } from '@jest/globals';
import { BUNDLE_EXPORTER } from '@stechuhr/contracts';
import { actionOf, seesAllOf, type Visibility } from './task.js';

const view = (role: Visibility['role'], departments = '', projects: string | null = null): Visibility => ({
  role,
  departmentIds: [...departments],
  projectIds: projects === null ? null : [...projects],
});

describe('a visibility that includes another one', () => {
  it.each([
    [view('admin'), view('manager'), true],
    [view('manager'), view('department_leader', 'd'), true],
    [view('department_leader', 'de'), view('department_leader', 'd'), true],
    [view('department_leader', 'd'), view('department_leader', 'd'), true],
    [view('department_leader', 'd'), view('department_leader', 'de'), false],
    [view('department_leader', 'd'), view('manager'), false],
    [view('manager', '', 'pq'), view('manager', '', 'p'), true],
    [view('manager', '', 'p'), view('manager', '', 'pq'), false],
    [view('manager', '', ''), view('manager'), false],
    [view('manager'), view('manager', '', 'p'), true],
  ])('%j and %j: %p', (viewer, other, expected) => {
    expect(seesAllOf(viewer, other)).toBe(expected);
  });
});

it('compares the longest lists of departments and projects for each task of a page', () => {
  const ids = () => Array.from({ length: 10_000 }, (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`);
  const leader = (): Visibility => ({ role: 'department_leader', departmentIds: ids(), projectIds: ids() });
  const viewer = { ...leader(), projectIds: ids().reverse() };
  const tasks = Array.from({ length: 5 }, leader);
  const before = process.cpuUsage();
  expect(tasks.every((visibility) => seesAllOf(viewer, visibility))).toBe(true);
  // Comparing each id with each other one takes far longer.
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(5_000);
});

describe('the action of a task', () => {
  it.each([
    [BUNDLE_EXPORTER, 'daily_report_bundle'],
    ['payroll_a', 'generic_export'],
  ])('with the exporter %s is %s', (exporter, action) => {
    expect(actionOf({ exporter, parameters: {}, fileName: '' })).toBe(action);
  });
});
