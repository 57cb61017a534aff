import type { ExporterName } from '../exporters.js';
import { fixedLayoutOf } from '../payroll/registry.js';

const PERIOD = '2026-03-01|2026-03-31';
/** Parameters that a part of `multi` has as a list. */
const LISTS = new Set(['columns', 'types']);

/** The query string of a request to an exporter that uses an entry of the registries. */
export function exampleQuery(exporter: ExporterName, example: string): string {
  const equals = example.indexOf('=');
  const [name, value] = [example.slice(0, equals), example.slice(equals + 1)];
  const parameters = { daterange: PERIOD, response_only: 'true', ...fixedLayoutOf(exporter)?.required };
  // What the entry is about comes first.
  const own = exporter === 'multi' ? partOf(name, value) : { [name]: value };
  return Object.entries({ ...own, ...parameters, ...own })
    .map(([key, text]) => `${key}=${encodeURIComponent(text)}`)
    .join('&');
}

function partOf(name: string, value: string): Readonly<Record<string, string>> {
  if (name === 'export_format') return { config: '[{}]', [name]: value };
  return { config: JSON.stringify([{ [name]: LISTS.has(name) ? [value] : value }]) };
}
