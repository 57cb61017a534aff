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
});
