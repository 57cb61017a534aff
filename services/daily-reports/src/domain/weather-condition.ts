import type { WeatherCondition } from './entry-value.js';

/** Code table 4677 of the WMO (present weather), reduced to four conditions. Dust, haze and weather that has just ended have none. */
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

/** Returns the condition of a WMO code; null if it has none. */
export function conditionOf(wmoCode: number | null): WeatherCondition | null {
  if (wmoCode === null) return null;
  return ranges.find(([from, to]) => wmoCode >= from && wmoCode <= to)?.[2] ?? null;
}
