import { formatLocalDate } from '@stechuhr/worktime';
import type { Bundle } from './bundle.js';

/** The parts of a bundle that determine its name. */
interface NamedBundle extends Pick<Bundle, 'range' | 'format'> {
  /** The requested projects; empty means all. */
  readonly projects: readonly { readonly code: string; readonly name: string }[];
}

const UNSAFE = /[^A-Za-z0-9._-]/g;
/** As in the name of a report: file systems allow names of 255 bytes. */
const MAX_CODE = 180;

/**
 * Returns `Tagesberichte-<project code>-<first day>-<last day>.pdf`. The code is included only for a single project, without characters
 * that need quoting, and truncated to 180 characters.
 */
export function bundleFileName({ projects, range, format }: NamedBundle): string {
  const [project, ...others] = projects;
  const code = others.length > 0 ? '' : (project?.code.replaceAll(UNSAFE, '').slice(0, MAX_CODE) ?? '');
  return ['Tagesberichte', code, formatLocalDate(range.from), formatLocalDate(range.until)].filter(Boolean).join('-') + `.${format}`;
}

/** Returns `Tagesberichte <project code>, 16.11.2026 bis 22.11.2026`. The code is included only for a single project. */
export function bundleTitle({ projects, range: { from, until } }: NamedBundle): string {
  const [project, ...others] = projects;
  const of = project === undefined || others.length > 0 ? '' : ` ${project.code || project.name}`;
  return `Tagesberichte${of}, ${german(from)}${from === until ? '' : ` bis ${german(until)}`}`;
}

function german(day: number): string {
  return formatLocalDate(day).split('-').reverse().join('.');
}
