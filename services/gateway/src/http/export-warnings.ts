import type { exportsV1 } from '@stechuhr/contracts';

const MAX_BYTES = 4096;

/**
 * Warnings as a structured header (RFC 9651): a list of codes, each with what it is about, without names of people.
 *
 * @returns undefined where there are none
 */
export function exportWarnings(warnings: readonly exportsV1.ExportWarning[]): string | undefined {
  const byCode = Map.groupBy(warnings, ({ code }) => code);
  const items = Array.from(byCode, ([code, ofCode]) => {
    const about = `;about="${textOf(ofCode)}"`;
    return `${code};count=${String(ofCode.length)}${about.length > MAX_BYTES ? '' : about}`;
  });
  return items.length === 0 ? undefined : items.join(', ');
}

/** A structured string holds ASCII only; what else a number may contain is replaced. */
function textOf(warnings: readonly exportsV1.ExportWarning[]): string {
  return warnings
    .map(({ about }) => about)
    .join(' ')
    .replace(/[^\x20-\x7e]|["\\]/gu, '?');
}
