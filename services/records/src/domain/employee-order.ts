import type { Employee } from './directory.js';

const german = new Intl.Collator('de');

/** Compares names by German collation: `Häfner` before `Holzner`, `Çelik` under C (docs/rules/exports.md#order). */
export function compareNames(a: string, b: string): number {
  return german.compare(a, b);
}

/** The order of all lists of employees: last name and first name by German collation, number and id by code points. */
export function compareEmployees(a: Employee, b: Employee): number {
  return (
    compareNames(a.lastName, b.lastName) ||
    compareNames(a.firstName, b.firstName) ||
    compareCodePoints(a.number, b.number) ||
    compareCodePoints(a.id, b.id)
  );
}

/** JavaScript compares UTF-16 units and would sort characters beyond U+FFFF before U+E000. */
export function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0;
  let index = 0;
  while (a.charCodeAt(index) === b.charCodeAt(index)) index += 1;
  const left = a.charCodeAt(index);
  const right = b.charCodeAt(index);
  if (Number.isNaN(left) || Number.isNaN(right)) return a.length - b.length;
  return isSurrogate(left) === isSurrogate(right) ? left - right : isSurrogate(left) ? 1 : -1;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xe000;
}
