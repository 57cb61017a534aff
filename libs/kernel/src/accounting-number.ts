/**
 * The digits by which accounting numbers are compared: payroll programs treat `007` and `7` as the same number, and other texts only as themselves.
 * @returns the digits without leading zeros, or undefined if it is not a number
 */
export function significantDigits(accountingNumber: string): string | undefined {
  return /^[0-9]+$/.test(accountingNumber) ? accountingNumber.replace(/^0+/, '') : undefined;
}
