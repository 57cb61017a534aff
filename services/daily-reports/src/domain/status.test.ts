import { describe, expect, it } from '@jest/globals';
import { reportStatuses, type ReportStatus } from './report.js';
import { statusOf, transitionOf } from './status.js';

describe('transitionOf', () => {
  const known: readonly (readonly [ReportStatus, ReportStatus, string, boolean])[] = [
    ['draft', 'submitted', 'edit', false],
    ['draft', 'closed', 'approve', false],
    ['submitted', 'draft', 'approve', true],
    ['submitted', 'closed', 'approve', false],
    ['submitted', 'archived', 'supervise', false],
    ['closed', 'draft', 'approve', false],
    ['closed', 'archived', 'supervise', false],
    ['archived', 'draft', 'supervise', false],
  ];

  it('allows eight of sixteen transitions', () => {
    const found = reportStatuses.flatMap((from) => reportStatuses.flatMap((to) => transitionOf(from, to) ?? []));
    expect(found.map(({ from, to, permission, needsReason }) => [from, to, permission, needsReason])).toEqual(known);
  });
});

describe('statusOf', () => {
  it('is that of the last change, or draft without changes', () => {
    expect(statusOf([])).toBe('draft');
    expect(statusOf([{ status: 'submitted' }, { status: 'closed' }])).toBe('closed');
  });
});
