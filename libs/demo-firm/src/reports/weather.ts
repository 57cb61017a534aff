import { calendarDate, type EpochDay } from '@stechuhr/worktime';
import type { Firm } from '../firm.js';
import { createRandom } from '../random.js';

export type Condition = 'sunny' | 'cloudy' | 'precipitation' | 'snow';

/** The values of a weather entry, including those that are stored but not shown. */
interface Weather {
  readonly temperature: number;
  readonly weather_condition: Condition;
  readonly precipitation: number;
  readonly cloud_cover: number;
  readonly wind: readonly [speed: number, direction: number];
}

/** Mean temperature at noon in Regensburg, January to December. */
const NOON = [1, 3, 8, 14, 18, 22, 24, 24, 19, 13, 6, 2] as const;
/** How many degrees morning and evening are colder. */
const COLDER: Readonly<Record<string, number>> = { '07:00': 5, '12:00': 0, '17:00': 2 };
const FROST = 1;

/** Returns the weather at a time of a day, which is the same for all sites. */
export function weatherOf(firm: Firm, day: EpochDay, time: string): Weather {
  const ofDay = createRandom(firm.seed, 'weather', day);
  const { month } = calendarDate(day);
  const noon = (NOON[month - 1] ?? 0) + ofDay.int(-4, 4);
  const mood = ofDay.next();
  const random = createRandom(firm.seed, 'weather', day, time);
  const temperature = noon - (COLDER[time] ?? 0) + random.int(-10, 10) / 10;
  const draw = mood * 0.7 + random.next() * 0.3;
  const isWet = draw < 0.25;
  const condition = isWet ? (temperature <= FROST ? 'snow' : 'precipitation') : draw < 0.6 ? 'cloudy' : 'sunny';
  return {
    temperature,
    weather_condition: condition,
    precipitation: isWet ? random.int(1, 40) / 10 : 0,
    cloud_cover: condition === 'sunny' ? random.int(0, 30) : random.int(60, 100),
    wind: [random.int(1, 32), random.int(0, 359)],
  };
}
