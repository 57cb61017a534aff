import type { WeatherCondition } from './entry-value.js';

/** WMO code table 4677 (present weather), reduced to four conditions; dust, haze and weather that has just ended have none. */
const ranges: readonly (readonly [from: number, to: number, condition: WeatherCondition])[] = [
  [0, 1, 'sunny'],
  [2, 3, 'cloudy'],
  [36, 39, 'snow'],
  [40, 49, 'cloudy'],
  [50, 69, 'precipitation'],
  [70, 79, 'snow'],
  [80, 84, 'precipitation'],
  [85, 88, 'snow'],
  [89, 99, 'precipitation'],
];

/** The condition for a WMO code; null if there is none. */
export function conditionOf(wmoCode: number | null): WeatherCondition | null {
  if (wmoCode === null) return null;
  return ranges.find(([from, to]) => wmoCode >= from && wmoCode <= to)?.[2] ?? null;
}
