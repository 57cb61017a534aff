import { describe, expect, it } from '@jest/globals';
import { columnReference } from './columns/registry.js';
import { filterReference } from './filters/registry.js';
import { formats } from './formats/registry.js';
import { modifierReference } from './modifiers/registry.js';
import { exampleParameters, type ReferenceEntry } from './reference.js';
import { parseExportRequest } from './request/parse-request.js';
import { rowTypeReference } from './row-types/registry.js';
import { directory, EASTER } from './test/fixture.js';

const pages: Readonly<Record<string, readonly ReferenceEntry[]>> = {
  columns: columnReference,
  types: rowTypeReference,
  modifiers: modifierReference,
  filters: filterReference,
  formats: formats.flatMap((format) => [format, ...format.options.map((option) => ({ ...option, id: `${format.id}:${option.id}` }))]),
};

describe('reference pages', () => {
  it.each(Object.entries(pages))('%s contain each entry once, with texts and a valid example', (_page, entries) => {
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
    for (const entry of entries) {
      expect([entry.title, entry.description]).not.toContain('');
      const parameters = { daterange: EASTER, response_only: 'true', ...exampleParameters(entry.example) };
      expect(() => parseExportRequest('generic', parameters, directory)).not.toThrow();
    }
  });
});
