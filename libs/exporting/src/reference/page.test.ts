import { describe, expect, it } from '@jest/globals';
import { exporterNames } from '../exporters.js';
import { parseExportRequest } from '../request/parse-request.js';
import { day, directory } from '../test/fixture.js';
import { referencePage, referencePageNames } from './page.js';

const TODAY = day('2026-11-22');
const pages = exporterNames.flatMap((exporter) => referencePageNames.map((name) => [exporter, name] as const));

describe('referencePage', () => {
  it.each(pages)('of %s describes its %s, each once and with a valid request', (exporter, name) => {
    const { title, notes, groups } = referencePage(exporter, name, TODAY);
    const entries = groups.flatMap((group) => group.entries);
    expect(title).not.toBe('');
    expect(notes).not.toEqual([]);
    expect(entries).not.toEqual([]);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
    for (const { query } of entries) {
      const parameters = Object.fromEntries(new URLSearchParams(query));
      expect(() => parseExportRequest(exporter, parameters, directory)).not.toThrow();
    }
  });

  it('mentions what does not apply to a fixed layout', () => {
    expect(referencePage('payroll_a', 'columns', TODAY).notes.join()).toContain('columns wird nicht angenommen');
    expect(referencePage('payroll_b', 'types', TODAY).notes.join()).toContain('types wird nicht angenommen');
    expect(referencePage('payroll_b', 'modifiers', TODAY).notes.join()).toContain('Modifikatoren gibt es hier nicht');
  });

  it('lists the columns of a fixed layout in the order of the file', () => {
    for (const [exporter, config] of [
      ['payroll_a', ''],
      ['payroll_b', '1|2'],
    ] as const) {
      const request = parseExportRequest(exporter, { daterange: '2026-03-01|2026-03-31', config }, directory);
      const headers = request.sections[0]?.columns.map(({ header }) => header);
      expect(referencePage(exporter, 'columns', TODAY).groups[0]?.entries.map(({ id }) => id)).toEqual(headers);
    }
  });
});
