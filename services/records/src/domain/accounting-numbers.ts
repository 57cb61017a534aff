import { significantDigits } from '@stechuhr/kernel';

/** The data by which a payroll program identifies an employee. */
export interface PayrollEmployee {
  readonly id: string;
  readonly number: string;
  readonly accountingNumber: string;
  readonly name: string;
}

const MAX_NAMED = 5;

/** Returns a sentence for each accounting number that several employees share: a payroll program would add up their hours. */
export function sharedAccountingNumbers(staff: readonly PayrollEmployee[]): readonly string[] {
  return [...Map.groupBy(staff, ({ accountingNumber }) => significantDigits(accountingNumber) ?? accountingNumber)]
    .filter(([, sharing]) => sharing.length > 1)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([accountingNumber, sharing]) =>
        `The accounting number ${accountingNumber} is shared by ${String(sharing.length)} employees: ${named(sharing)}.`,
    );
}

function named(staff: readonly PayrollEmployee[]): string {
  const names = staff.map(({ number, name }) => `${name} (${number})`).sort();
  const more = names.length - MAX_NAMED;
  return more > 0 ? `${names.slice(0, MAX_NAMED).join(', ')} and ${String(more)} more` : names.join(', ');
}
