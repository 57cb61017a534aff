import { describe, expect, it } from '@jest/globals';
import { eventQuery } from './event-query.js';

const institution = '11111111-1111-4111-8111-11111111111a';

describe('eventQuery', () => {
  it.each([
    [{ type: [] }, ['stechuhr.events.*.>']],
    [{ type: ['records'], institution: institution.toUpperCase() }, [`stechuhr.events.${institution}.records.>`]],
    [{ type: ['*.employee'] }, ['stechuhr.events.*.*.employee.>']],
    [{ type: ['tasks.task.created', '*.*.deleted'] }, ['stechuhr.events.*.tasks.task.created', 'stechuhr.events.*.*.*.deleted']],
    [{ type: ['records', 'records'] }, ['stechuhr.events.*.records.>']],
    [{ type: ['tasks.task.created', 'tasks', 'tasks.task'] }, ['stechuhr.events.*.tasks.>']],
    [
      { type: ['records.employee', '*.employee', '*.*.deleted', 'records.*.deleted'] },
      ['stechuhr.events.*.*.employee.>', 'stechuhr.events.*.*.*.deleted'],
    ],
  ])('%j', (options, filterSubjects) => {
    expect(eventQuery(options)).toEqual({ stream: 'STECHUHR_EVENTS', filterSubjects });
  });

  it.each([
    ['2026-05-01', '2026-05-01T00:00:00.000Z'],
    ['2026-05-01T08:00Z', '2026-05-01T08:00:00.000Z'],
    ['2026-05-01T08:00:00.5Z', '2026-05-01T08:00:00.500Z'],
  ])('begins at %s', (since, instant) => {
    expect(eventQuery({ type: [], since }).since?.toISOString()).toBe(instant);
  });

  it('begins some time ago', () => {
    const before = Date.now();
    const since = eventQuery({ type: [], since: '2h' }).since?.getTime() ?? 0;
    expect(since).toBeGreaterThanOrEqual(before - 7_200_000);
    expect(since).toBeLessThanOrEqual(Date.now() - 7_200_000);
  });

  it.each([
    ['--type', { type: ['records.employees'] }],
    ['--type', { type: ['records.employee.changed.v1'] }],
    ['--type', { type: [''] }],
    ['--institution', { type: [], institution: '*' }],
    ['--since', { type: [], since: 'yesterday' }],
    ['--since', { type: [], since: '2026-05-01T08:00:00' }],
    ['--since', { type: [], since: '2026-13-01' }],
  ])('refuses %s of %j', (option, options) => {
    expect(() => eventQuery(options)).toThrow(expect.objectContaining({ exitCode: 2, message: expect.stringContaining(option) }));
  });
});
