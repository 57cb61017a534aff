import { describe, expect, it } from '@jest/globals';
import { AppError } from '@stechuhr/kernel';
import type { WeatherProvider } from '../operations/weather-port.js';
import { shareWeather } from './shared-weather.js';

const { signal } = new AbortController();
const MUNICH = { latitude: 48.137, longitude: 11.575 };
const DAY = 20_522;

/** A weather service that notes what it is asked. */
function noting(answers: Partial<WeatherProvider> = {}) {
  const asked: string[] = [];
  let now = Date.parse('2026-03-10T07:01:00+01:00');
  const provider: WeatherProvider = {
    locate(address, ...rest) {
      asked.push(address);
      return answers.locate?.(address, ...rest) ?? Promise.resolve(MUNICH);
    },
    readDay(position, date, ...rest) {
      asked.push(`${String(position.latitude)} ${String(date)}`);
      return answers.readDay?.(position, date, ...rest) ?? Promise.resolve(new Map());
    },
  };
  return { asked, weather: shareWeather(provider, { now: () => now }), advance: (minutes: number) => void (now += minutes * 60_000) };
}

describe('shareWeather', () => {
  it('asks once for all projects with a postcode, at the same time and later on the day', async () => {
    const { asked, weather, advance } = noting();
    const addresses = ['Am Anger 1, 80331 München', 'Tal 5, 80331 München'];
    expect(await Promise.all(addresses.map((address) => weather.locate(address, signal)))).toEqual([MUNICH, MUNICH]);
    advance(10 * 60);
    await weather.locate('80331', signal);
    await weather.locate('04109 Leipzig', signal);
    expect(asked).toEqual(['Am Anger 1, 80331 München', '04109 Leipzig']);
  });

  it('asks again for the readings of a day after five minutes, and for other days and places at once', async () => {
    const { asked, weather, advance } = noting();
    await Promise.all([DAY, DAY, DAY - 1].map((date) => weather.readDay(MUNICH, date, signal)));
    await weather.readDay({ ...MUNICH, latitude: 51.3 }, DAY, signal);
    advance(3);
    await weather.readDay(MUNICH, DAY, signal);
    expect(asked).toEqual(['48.137 20522', '48.137 20521', '51.3 20522']);
    advance(2);
    await weather.readDay(MUNICH, DAY, signal);
    expect(asked).toHaveLength(4);
  });

  it('asks again after a failure, but not for a place that is unknown', async () => {
    let fails = true;
    const { asked, weather } = noting({
      locate: () => (fails ? Promise.reject(new AppError('unavailable', 'No answer.')) : Promise.resolve(undefined)),
    });
    await expect(weather.locate('80331', signal)).rejects.toMatchObject({ code: 'unavailable' });
    fails = false;
    expect(await weather.locate('80331', signal)).toBeUndefined();
    expect(await weather.locate('80331', signal)).toBeUndefined();
    expect(asked).toHaveLength(2);
  });
});
