import type { exportsV1 } from '@stechuhr/contracts';

/** Limit for the whole header: nginx accepts 4 KiB for all headers of a response and otherwise answers 502. */
const MAX_BYTES = 2048;
const SEPARATOR = ', ';

/**
 * Formats warnings as a structured header (RFC 9651): a list of codes, each with the ids it refers to, without names of people. If that would make
 * the header too long, they are only counted.
 * @returns undefined if there are none
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

/** A structured string is ASCII only; other characters of a number are replaced. */
function textOf(warnings: readonly exportsV1.ExportWarning[]): string {
  return warnings
    .map(({ about }) => about)
    .join(' ')
    .replace(/[^\x20-\x7e]|["\\]/gu, '?');
}
