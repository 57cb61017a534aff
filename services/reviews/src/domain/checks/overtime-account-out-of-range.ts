import { contractOn, planBalance, workdaySeconds, type Contract, type DateRange, type EpochDay } from '@stechuhr/worktime';
import { defineCheck } from '../check.js';
import { germanDate, germanHours } from '../german.js';
import { numberOption, secondsOfHours } from '../options.js';
import { isIn, type AccountStart, type Subject } from '../subject.js';

const HOURS = { min: -1_000_000 };

export const overtimeAccountOutOfRange = defineCheck({
  code: 'overtime-account-out-of-range',
  group: 'anomalies',
  title: 'Arbeitszeitkonto außerhalb der Grenzen',
  description:
    'Das Arbeitszeitkonto liegt am Monatsende, im laufenden Monat am Vortag, außerhalb der im Vertrag vereinbarten Grenzen; wo der Vertrag ' +
    'keine nennt, gelten die eingestellten. Mehrarbeit auf dem Konto ist binnen zwölf Monaten auszugleichen (§ 2 Abs. 2 MiLoG); Minusstunden ' +
    'verfallen meist, wenn der Betrieb die Arbeit nicht angenommen hat (§ 615 BGB).',
  options: { min_hours: numberOption(-40, HOURS), max_hours: numberOption(40, HOURS) },
  contradictions: ({ min_hours, max_hours }) =>
    min_hours > max_hours ? [`min_hours lies above max_hours, which is ${String(max_hours)}.`] : [],
  find(subject, { min_hours, max_hours }) {
    const { account, month, terms } = subject;
    const date = Math.min(month.last, subject.today - 1, terms.employment.leftOn ?? Infinity);
    if (account === undefined || date < month.first) return [];
    const contract = contractAt(terms.contracts, date);
    const min = secondsOfHours(contract?.overtimeMinHours ?? min_hours);
    const max = secondsOfHours(contract?.overtimeMaxHours ?? max_hours);
    const balance = account.openingSeconds + balanceOf(subject, account, { first: account.since, last: date });
    if (balance >= min && balance <= max) return [];
    const limit = balance < min ? min : max;
    const details = `Das Arbeitszeitkonto steht am ${germanDate(date)} bei ${germanHours(balance, limit)}, vereinbart sind ${germanHours(min)} bis ${germanHours(max)}.`;
    return [{ date, references: [], context: { balance_seconds: balance, min_seconds: min, max_seconds: max }, details }];
  },
});

/** Returns the contract of the day, or else the latest one before it. */
function contractAt(contracts: readonly Contract[], day: EpochDay): Contract | null {
  const valid = contractOn(contracts, day);
  if (valid !== null) return valid;
  let ended: EpochDay | undefined;
  for (const { validTo } of contracts) if (validTo !== null && validTo < day && validTo > (ended ?? -Infinity)) ended = validTo;
  return ended === undefined ? null : contractOn(contracts, ended);
}

/** Returns net working time plus credited absences minus planned time of these days, in seconds. A workday belongs to its date. */
function balanceOf({ monthWorkdays, ...records }: Subject, { earlierWorkdays }: AccountStart, days: DateRange): number {
  let net = 0;
  for (const workday of earlierWorkdays) if (isIn(days, workday.date)) net += workdaySeconds(workday).net;
  for (const { date, netSeconds } of monthWorkdays) if (isIn(days, date)) net += netSeconds;
  return net + planBalance(records, days);
}
