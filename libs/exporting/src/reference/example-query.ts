import { addDays, firstDayOfMonth, formatLocalDate, monthOf, type EpochDay } from '@stechuhr/worktime';
import type { ExporterName } from '../exporters.js';
import { fixedLayoutOf } from '../payroll/registry.js';
import { exampleParameters } from '../reference.js';

/** Parameters that are lists in a part of `multi`. */
const LISTS = new Set(['columns', 'types']);

/** The query string of a request to an exporter that uses an entry of the registries, for the month before a day. */
export function exampleQuery(exporter: ExporterName, example: string, today: EpochDay): string {
  const parameters = { daterange: monthBefore(today), response_only: 'true', ...fixedLayoutOf(exporter)?.required };
  // The parameters of the entry come first.
  const given = exampleParameters(example);
  const own = exporter === 'multi' ? inOnePart(given) : given;
  return Object.entries({ ...own, ...parameters, ...own })
    .map(([key, text]) => `${key}=${encodeURIComponent(text)}`)
    .join('&');
}

/** The format is a parameter of the whole file, everything else belongs to the configuration of a part. */
function inOnePart({ export_format: format, ...rest }: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const part = Object.entries(rest).map(([name, value]) => [name, inJson(name, value)]);
  return { config: JSON.stringify([Object.fromEntries(part)]), ...(format !== undefined && { export_format: format }) };
}

function inJson(name: string, value: string): unknown {
  if (LISTS.has(name)) return value.split('|');
  return value === 'false' ? false : value;
}

/** In the previous month, tracked time is complete, also in the demo organization. */
function monthBefore(today: EpochDay): string {
  const last = addDays(firstDayOfMonth(monthOf(today)), -1);
  return [firstDayOfMonth(monthOf(last)), last].map(formatLocalDate).join('|');
}
