import type { exportsV1 } from '@stechuhr/contracts';

/** Of the whole header: nginx reads all headers of an answer into 4 KiB, and answers 502 where they are longer. */
const MAX_BYTES = 2048;
const SEPARATOR = ', ';

/**
 * Warnings as a structured header (RFC 9651): a list of codes, each with what it is about, without names of people. What would make the
 * header too long is only counted.
 *
 * @returns undefined where there are none
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

/** A structured string holds ASCII only; what else a number may contain is replaced. */
function textOf(warnings: readonly exportsV1.ExportWarning[]): string {
  return warnings
    .map(({ about }) => about)
    .join(' ')
    .replace(/[^\x20-\x7e]|["\\]/gu, '?');
}
