import { describe, expect, it } from '@jest/globals';
import { reportFileName } from './file-name.js';

const projectId = '0198f0aa-1111-7000-8000-000000000001';

describe('reportFileName', () => {
  it.each([
    ['P-2026.014_b', 'Tagesbericht-P-2026.014_b-2026-10-21.pdf'],
    ['Süd 12/3', 'Tagesbericht-Sd123-2026-10-21.pdf'],
    ['"; rm -rf\r\nX: y', 'Tagesbericht-rm-rfXy-2026-10-21.pdf'],
    ['', 'Tagesbericht-0198f0aa-2026-10-21.pdf'],
    ['ÄÖÜ ///', 'Tagesbericht-0198f0aa-2026-10-21.pdf'],
  ])('names the report of project %j', (projectCode, name) => {
    expect(reportFileName({ projectId, projectCode, date: '2026-10-21' })).toBe(name);
  });

  it.each([
    ['P-1', 'Tagesbericht-P-1-0198f0aa-1111-7000-8000-000000000001-2026-10-21.pdf'],
    ['', 'Tagesbericht-0198f0aa-1111-7000-8000-000000000001-2026-10-21.pdf'],
  ])('distinguishes projects with the code %j', (projectCode, name) => {
    expect(reportFileName({ projectId, projectCode, date: '2026-10-21', withId: true })).toBe(name);
  });

  it('is short enough for file systems, whatever the code', () => {
    const [one, other] = ['0', '1'].map((end) => ({ projectId: `${projectId.slice(0, -1)}${end}`, projectCode: 'x'.repeat(255) }));
    const names = [one, other].map((parts) => reportFileName({ projectId, projectCode: '', ...parts, date: '2026-10-21', withId: true }));
    expect(names.map((name) => Buffer.byteLength(name) <= 255)).toEqual([true, true]);
    expect(new Set(names).size).toBe(2);
  });
});
