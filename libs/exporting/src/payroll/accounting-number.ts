import { compareCodePoints, significantDigits } from '@stechuhr/kernel';
import type { StaffMember } from '../directory.js';

/** Orders staff by accounting number: numbers by their value, then texts by code point (docs/rules/exports.md#payroll_a). */
export function byAccountingNumber(a: StaffMember, b: StaffMember): number {
  const [left, right] = [a.accountingNumber ?? '', b.accountingNumber ?? ''];
  const [leftDigits, rightDigits] = [significantDigits(left), significantDigits(right)];
  if (leftDigits === undefined || rightDigits === undefined) {
    if (leftDigits !== rightDigits) return leftDigits === undefined ? 1 : -1;
    return compareCodePoints(left, right);
  }
  return leftDigits.length - rightDigits.length || compareCodePoints(leftDigits, rightDigits) || compareCodePoints(left, right);
}
