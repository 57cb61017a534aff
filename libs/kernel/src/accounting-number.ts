/**
 * What accounting numbers are compared by: payroll programs read `007` and `7` as one number, a text only as itself.
 *
 * @returns the digits without leading zeros, or undefined where it is no number
 */
export function significantDigits(accountingNumber: string): string | undefined {
  return /^[0-9]+$/.test(accountingNumber) ? accountingNumber.replace(/^0+/, '') : undefined;
}
