/**
 * Normalises an accounting number for comparison: payroll programs read `007` and `7` as the same number, whereas other texts only match
 * exactly.
 *
 * @returns the digits without leading zeros, or undefined if it is not a number
 */
export function significantDigits(accountingNumber: string): string | undefined {
  return /^[0-9]+$/.test(accountingNumber) ? accountingNumber.replace(/^0+/, '') : undefined;
}
