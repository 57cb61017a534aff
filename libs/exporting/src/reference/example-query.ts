import { addDays, firstDayOfMonth, formatLocalDate, monthOf, type EpochDay } from '@stechuhr/worktime';
import type { ExporterName } from '../exporters.js';
import { fixedLayoutOf } from '../payroll/registry.js';
import { exampleParameters } from '../reference.js';

/** Parameters that are lists in a part of `multi`. */
const LISTS = new Set(['columns', 'types']);

/** Returns the query string of an example request that uses a reference entry, for the month before a day. */
export function exampleQuery(exporter: ExporterName, example: string, today: EpochDay): string {
  const parameters = { daterange: monthBefore(today), response_only: 'true', ...fixedLayoutOf(exporter)?.required };
  // The parameters of the entry come first.
  const given = exampleParameters(example);
  const own = exporter === 'multi' ? inOnePart(given) : given;
  return Object.entries({ ...own, ...parameters, ...own })
    .map(([key, text]) => `${key}=${encodeURIComponent(text)}`)
    .join('&');
}

/** Moves everything except the format, which applies to the whole file, to a part of the configuration. */
function inOnePart({ export_format: format, ...rest }: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const part = Object.entries(rest).map(([name, value]) => [name, inJson(name, value)]);
  return { config: JSON.stringify([Object.fromEntries(part)]), ...(format !== undefined && { export_format: format }) };
}

function inJson(name: string, value: string): unknown {
  if (LISTS.has(name)) return value.split('|');
  return value === 'false' ? false : value;
}

/** Returns the previous month, in which tracked time is complete, also in the demo organization. */
function monthBefore(today: EpochDay): string {
  const last = addDays(firstDayOfMonth(monthOf(today)), -1);
  return [firstDayOfMonth(monthOf(last)), last].map(formatLocalDate).join('|');
}
