import { describe, expect, it } from '@jest/globals';
import { AppError } from '@stechuhr/kernel';
import { bundleFileName, bundleTitle } from '../domain/bundle-names.js';
import { bundleParameters } from '../domain/bundle.js';
import { bundleOf, readBundle } from './read-bundle.js';

const A = '11111111-1111-4111-8111-111111111111';
const B = '22222222-2222-4222-8222-222222222222';
const WEEK = { date_from: '2026-11-16', date_to: '2026-11-22' };
const SITE = { code: 'TB 105', name: 'Rathaus' };

describe('a bundle', () => {
  it.each([
    [WEEK, { ...WEEK, format: 'pdf' }],
    [
      { ...WEEK, projects: null, status: null, format: 'zip' },
      { ...WEEK, format: 'zip' },
    ],
    [
      { ...WEEK, projects: [B.toUpperCase(), A, B], status: ['draft', 'closed'] },
      { ...WEEK, projects: `${A}|${B}`, status: 'closed|draft', format: 'pdf' },
    ],
  ])('of %j has the same task, regardless of the order', (body, parameters) => {
    const bundle = readBundle(JSON.stringify(body));
    expect(bundleParameters(bundle)).toEqual(parameters);
    expect(bundleOf(parameters)).toEqual(bundle);
  });

  it.each([
    [{}, { date_from: ['This field is required.'], date_to: ['This field is required.'] }],
    [{ ...WEEK, date_to: '2026-11-15' }, { date_to: ['It may not be before date_from.'] }],
    [
      { ...WEEK, date_to: '2026-11-15', format: 'csv' },
      { date_to: ['It may not be before date_from.'], format: ['"csv" is not a valid choice.'] },
    ],
    [{ ...WEEK, projects: 'x' }, { projects: ['Expected a list of items but got type "str".'] }],
    [{ ...WEEK, status: {} }, { status: ['Expected a list of items but got type "dict".'] }],
    [{ ...WEEK, projects: [] }, { projects: ['This list may not be empty.'] }],
    [{ ...WEEK, projects: Array.from({ length: 101 }, () => A) }, { projects: ['Ensure this field has no more than 100 elements.'] }],
    [{ ...WEEK, status: ['open'] }, { status: ['"open" is not a valid choice.'] }],
    [{ ...WEEK, format: 'doc' }, { format: ['"doc" is not a valid choice.'] }],
  ])('refuses %j', (body, problems) => {
    let details: unknown;
    try {
      readBundle(JSON.stringify(body));
    } catch (caught) {
      ({ details } = AppError.from(caught));
    }
    expect(details).toEqual(problems);
  });

  it.each([
    [[SITE], 'Tagesberichte-TB105-2026-11-16-2026-11-22.pdf', 'Tagesberichte TB 105, 16.11.2026 bis 22.11.2026'],
    [[{ ...SITE, code: '' }], 'Tagesberichte-2026-11-16-2026-11-22.pdf', 'Tagesberichte Rathaus, 16.11.2026 bis 22.11.2026'],
    [
      [{ ...SITE, code: 'B'.repeat(255) }],
      `Tagesberichte-${'B'.repeat(180)}-2026-11-16-2026-11-22.pdf`,
      `Tagesberichte ${'B'.repeat(255)}, 16.11.2026 bis 22.11.2026`,
    ],
    [[], 'Tagesberichte-2026-11-16-2026-11-22.pdf', 'Tagesberichte, 16.11.2026 bis 22.11.2026'],
    [[SITE, SITE], 'Tagesberichte-2026-11-16-2026-11-22.pdf', 'Tagesberichte, 16.11.2026 bis 22.11.2026'],
  ])('of the projects %j has this name', (projects, file, title) => {
    const { range, format } = readBundle(JSON.stringify(WEEK));
    expect([bundleFileName({ projects, range, format }), bundleTitle({ projects, range, format })]).toEqual([file, title]);
  });
});
