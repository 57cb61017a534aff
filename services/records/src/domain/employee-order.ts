import { compareCodePoints } from '@stechuhr/kernel';
import type { Employee } from './directory.js';

const german = new Intl.Collator('de');

/** Compares names by German collation: `Häfner` before `Holzner`, `Çelik` under C (docs/rules/exports.md#order). */
export function compareNames(a: string, b: string): number {
  return german.compare(a, b);
}

/** The fields by which employees are sorted. */
export type OrderedEmployee = Pick<Employee, 'id' | 'lastName' | 'firstName' | 'number'>;

/** Compares employees for every list of employees: last name and first name by German collation, then number and id by code points. */
export function compareEmployees(a: OrderedEmployee, b: OrderedEmployee): number {
  return (
    compareNames(a.lastName, b.lastName) ||
    compareNames(a.firstName, b.firstName) ||
    compareCodePoints(a.number, b.number) ||
    compareCodePoints(a.id, b.id)
  );
}
