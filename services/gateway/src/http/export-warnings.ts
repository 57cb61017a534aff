import type { exportsV1 } from '@stechuhr/contracts';

/** The maximum size of the header: nginx has a buffer of 4 KiB for all response headers and answers 502 if they are larger. */
const MAX_BYTES = 2048;
const SEPARATOR = ', ';

/**
 * Returns warnings as a structured header (RFC 9651): a list of codes with their subjects, but without names of people. Subjects that would
 * make the header too long are only counted.
 *
 * @returns undefined if there are no warnings
 */
export function exportWarnings(warnings: readonly exportsV1.ExportWarning[]): string | undefined {
  const byCode = Map.groupBy(warnings, ({ code }) => code);
  const items = Array.from(byCode, ([code, ofCode]) => ({ counted: `${code};count=${String(ofCode.length)}`, ofCode }));
  if (items.length === 0) return undefined;
  let left = MAX_BYTES - items.map(({ counted }) => counted).join(SEPARATOR).length;
  const whole = items.map(({ counted, ofCode }) => {
    const about = `;about="${textOf(ofCode)}"`;
    if (about.length > left) return counted;
    left -= about.length;
    return counted + about;
  });
  return whole.join(SEPARATOR);
}

/** Joins the subjects. A structured string may contain only ASCII, so other characters are replaced. */
function textOf(warnings: readonly exportsV1.ExportWarning[]): string {
  return warnings
    .map(({ about }) => about)
    .join(' ')
    .replace(/[^\x20-\x7e]|["\\]/gu, '?');
}
