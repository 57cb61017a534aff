import { describe, expect, it } from '@jest/globals';
import { exporterNames, referencePage, referencePageNames } from '@stechuhr/exporting';
import { parseLocalDate } from '@stechuhr/worktime';
import { demoExports } from './support/demo-exports.js';

// In October 2026 no public holiday falls on a working day.
const today = parseLocalDate('2026-11-22') ?? 0;
const run = demoExports(today);

describe('the reference pages', () => {
  it.each(exporterNames)('of %s have examples that return rows of the demo organization', async (exporter) => {
    const queries = referencePageNames.flatMap((name) =>
      referencePage(exporter, name, today).groups.flatMap(({ entries }) => entries.map(({ query }) => query)),
    );
    const answers = await Promise.all(queries.map(async (query) => [query, await run(exporter, query)] as const));
    expect(answers.filter(([, { rows }]) => rows === 0)).toEqual([]);
  });

  it('list for each column the types that fill it', async () => {
    const typeItems = referencePage('generic', 'types', today).groups.flatMap(({ entries }) => entries);
    const columns = referencePage('generic', 'columns', today).groups.flatMap(({ entries }) => entries);
    const ids = columns.map(({ id }) => id.replace('<field>', 'position'));
    const filled = new Map<string, string[]>(ids.map((id) => [id, []]));
    for (const { id, query } of typeItems) {
      const parameters = new URLSearchParams(query);
      parameters.set('columns', ids.join('|'));
      parameters.set('export_format', 'json');
      const { text } = await run('generic', parameters.toString());
      for (const row of JSON.parse(text) as Record<string, unknown>[]) {
        for (const [column, cell] of Object.entries(row)) if (cell !== null && cell !== '') filled.get(column)?.push(id);
      }
    }
    const everyType = typeItems.map(({ id }) => id);
    for (const [index, { id, filledBy }] of columns.entries()) {
      const types = new Set(filled.get(ids[index] ?? ''));
      expect([id, [...types].sort()]).toEqual([id, [...(filledBy === 'all' ? everyType : (filledBy ?? []))].sort()]);
    }
  });
});
