import type { LastName } from './firm.js';

/** Hours and days of an employee in October 2025 as printed in the file. A missing type is 0 and has no row. */
export type Totals = Readonly<Record<string, number>>;

/**
 * Calculated by hand. Definitions: credit-time = work-time + credited absences + holiday hours; balance = work-time + credited absences −
 * planned-time. Full time is 22 working days × 8 h = 176 h planned and 8 h for the holiday on the 3rd.
 */
export const october: Readonly<Record<Exclude<LastName, 'Kraus'>, Totals>> = {
  // 22 × 8.5 = 187 present. Breaks 21 × 0.5 + 0.75 (12:00–12:45 on the 6th) = 11.25. 187 − 11.25 = 175.75.
  Adler: {
    'credit-time:hours': 183.75, // 175.75 + 8
    'work-time:hours': 175.75,
    'gross-time:hours': 187,
    'break-time:hours': 11.25,
    'planned-time:hours': 176,
    'planned-time:days': 22,
    'balance:hours': -0.25, // 175.75 − 176
  },
  // 00:00–06:00 on the 1st without half an hour = 5.5; 22:00–24:00 on the 31st = 2, its break lies in November.
  Bauer: {
    'credit-time:hours': 15.5, // 7.5 + 8
    'work-time:hours': 7.5,
    'gross-time:hours': 8,
    'break-time:hours': 0.5,
    'planned-time:hours': 176,
    'planned-time:days': 22,
    'balance:hours': -168.5, // 7.5 − 176
  },
  // 22:00–24:00 = 2, 00:00–06:00 with the repeated hour = 7, total 9, minus half an hour of break = 8.5.
  Czerny: {
    'credit-time:hours': 16.5, // 8.5 + 8
    'work-time:hours': 8.5,
    'gross-time:hours': 9,
    'break-time:hours': 0.5,
    'planned-time:hours': 176,
    'planned-time:days': 22,
    'balance:hours': -167.5, // 8.5 − 176
  },
  Dorn: {
    'credit-time:hours': 8.5, // 0.5 + 8
    'work-time:hours': 0.5,
    'gross-time:hours': 0.5,
    'planned-time:hours': 176,
    'planned-time:days': 22,
    'balance:hours': -175.5, // 0.5 − 176
  },
  // 2nd and 6th (the 3rd is a holiday, 4th and 5th a weekend) = 2, half of the 10th = 0.5, 13th–17th = 5: 7.5 days × 8 h = 60 h.
  Ehrlich: {
    'credit-time:hours': 72, // 4 + 60 + 8
    'work-time:hours': 4,
    'gross-time:hours': 4,
    'planned-time:hours': 176,
    'planned-time:days': 22,
    'balance:hours': -112, // 4 + 60 − 176
    'vacation:hours': 60,
    'vacation:days': 7.5,
  },
  // Work on the holiday does not change the 8 holiday hours.
  Fuchs: {
    'credit-time:hours': 12, // 4 + 8
    'work-time:hours': 4,
    'gross-time:hours': 4,
    'planned-time:hours': 176,
    'planned-time:days': 22,
    'balance:hours': -172, // 4 − 176
  },
  // Until the 14th: 1, 2, 6–10, 13, 14 = 9 days × 5 h = 45 h, and 5 h for the holiday. From the 15th: 15, 20–22, 27–29 = 7 days × 4 h
  // = 28 h. Together 73 h on 16 days. Sick 16th–21st: Thursday and Friday are not planned any more; 20th and 21st = 2 days × 4 h = 8 h.
  Götz: {
    'credit-time:hours': 18, // 5 + 8 + 5
    'work-time:hours': 5,
    'gross-time:hours': 5,
    'planned-time:hours': 73,
    'planned-time:days': 16,
    'balance:hours': -60, // 5 + 8 − 73
    'sick:hours': 8,
    'sick:days': 2,
  },
  // Vacation keeps the 20th and 21st = 2 days = 16 h. Sick: 22nd, 23rd and half of the 24th = 2.5 days = 20 h.
  Horn: {
    'credit-time:hours': 44, // 16 + 20 + 8
    'planned-time:hours': 176,
    'planned-time:days': 22,
    'balance:hours': -140, // 36 − 176
    'vacation:hours': 16,
    'vacation:days': 2,
    'sick:hours': 20,
    'sick:days': 2.5,
  },
  // School 2 × 6 h = 12 h. The unpaid day has its 8 h, but they are not credited.
  Ilić: {
    'credit-time:hours': 20, // 12 + 8
    'planned-time:hours': 176,
    'planned-time:days': 22,
    'balance:hours': -164, // 12 − 176
    'school:hours': 12,
    'school:days': 2,
    'unpaid:hours': 8,
    'unpaid:days': 1,
  },
  // Without a contract nothing is planned, also on the holiday; three weekdays of vacation, of which only the last has hours.
  Jung: {
    'credit-time:hours': 7.5,
    'balance:hours': 7.5,
    'vacation:hours': 7.5,
    'vacation:days': 3,
  },
  // Planned 8–10 and 13–15 = 6 days × 8 h = 48 h; the holiday was before. 18 s = 0.005 h, half up 0.01; 0.005 − 48 = −47.995, half up −48.
  Lang: {
    'credit-time:hours': 0.01,
    'work-time:hours': 0.01,
    'gross-time:hours': 0.01,
    'planned-time:hours': 48,
    'planned-time:days': 6,
    'balance:hours': -48,
  },
};

/** March 2025 has 21 working days and no holiday in Bavaria: 168 h. The night to the 30th is one hour shorter. */
export const march: Readonly<Partial<Record<LastName, Totals>>> = {
  Czerny: {
    'work-time:hours': 6.5, // 22:00–24:00 = 2, 00:00–06:00 = 5, without half an hour
    'gross-time:hours': 7,
    'break-time:hours': 0.5,
    'planned-time:hours': 168,
    'balance:hours': -161.5,
  },
  Dorn: {
    'work-time:hours': 2,
    'gross-time:hours': 2,
    'planned-time:hours': 168,
    'balance:hours': -166,
  },
};

/** `daily:hours`: net seconds of each local calendar date. */
export const daily: readonly (readonly [LastName, string, number])[] = [
  ['Bauer', '2025-10-01', 5.5],
  ['Bauer', '2025-10-31', 2],
  ['Czerny', '2025-10-25', 2],
  ['Czerny', '2025-10-26', 6.5], // 7 h present, half an hour of break
  ['Dorn', '2025-10-26', 0.5],
];

/** `workday:hours` with start, end, value and break. Value and break are limited to the month, start and end are not. */
export const workdays: readonly (readonly [LastName, string, string, number, number])[] = [
  ['Bauer', '2025-09-30T22:00:00', '2025-10-01T06:00:00', 5.5, 0.5],
  ['Bauer', '2025-10-31T22:00:00', '2025-11-01T06:00:00', 2, 0],
  ['Czerny', '2025-10-25T22:00:00', '2025-10-26T06:00:00', 8.5, 0.5],
  ['Dorn', '2025-10-26T02:45:00', '2025-10-26T02:15:00', 0.5, 0],
];

/** `timespan:hours` of Adler on the 6th. The second break reduces the afternoon by a quarter of an hour. */
export const timespansOfTheSixth: readonly (readonly [string, string, number, number])[] = [
  ['2025-10-06T07:00:00', '2025-10-06T12:00:00', 5, 0],
  ['2025-10-06T12:30:00', '2025-10-06T15:30:00', 2.75, 0.25],
];
