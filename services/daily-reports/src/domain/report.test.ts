import { describe, expect, it } from '@jest/globals';
import { parseReportId, reportId } from './report.js';

const TAG = '11111111-1111-4111-8111-11111111111a';

describe('parseReportId', () => {
  it('parses the ids of reportId, in upper and lower case', () => {
    expect(parseReportId(`${TAG.toUpperCase()}|2026-03-02`)).toEqual({ tagId: TAG, date: 20_514 });
    expect(reportId({ tagId: TAG, date: 20_514 })).toBe(`${TAG}|2026-03-02`);
  });

  it.each([TAG, `${TAG}|`, `${TAG}|2026-02-30`, `${TAG}|2026-3-2`, `${TAG}|2026-03-02|`, 'x|2026-03-02', ''])('refuses %j', (text) => {
    expect(parseReportId(text)).toBeUndefined();
  });
});
