import type { Clock } from '@stechuhr/kernel';
import { LRUCache } from 'lru-cache';
import type { Position, WeatherProvider, WeatherReading } from '../operations/weather-port.js';
import { placeOf } from './open-meteo.js';

/** More than Germany has postcodes. Readings of a day take some 2 KiB. */
const MAX_KEPT = 10_000;
const PLACES_KEPT_MS = 24 * 3_600_000;
/** After a missing reading, the next attempt is that much later (capture-weather.ts), and gets a new answer. */
const READINGS_KEPT_MS = 5 * 60_000;

/**
 * Returns a weather service whose answers are shared: projects with the same postcode cause one request for their place in a day, and one for the
 * readings of a day in five minutes, however many institutions they belong to. Failures are not kept.
 */
export function shareWeather(provider: WeatherProvider, clock: Clock): WeatherProvider {
  const places = sharedAnswers<Position | undefined>();
  const days = sharedAnswers<ReadonlyMap<number, WeatherReading>>();
  const since = (keptMs: number): number => Math.floor(clock.now() / keptMs);
  return {
    locate: (address, signal) => places([placeOf(address), since(PLACES_KEPT_MS)], () => provider.locate(address, signal)),
    readDay: (position, date, signal) =>
      days([position.latitude, position.longitude, date, since(READINGS_KEPT_MS)], () => provider.readDay(position, date, signal)),
  };
}

type Ask<T> = () => Promise<T>;

function sharedAnswers<T>(): (key: readonly unknown[], ask: Ask<T>) => Promise<T> {
  const kept = new LRUCache<string, Promise<T>>({ max: MAX_KEPT });
  return (parts, ask) => {
    const key = JSON.stringify(parts);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const answer = ask();
    kept.set(key, answer);
    answer.catch(() => kept.delete(key));
    return answer;
  };
}
