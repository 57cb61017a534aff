import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { epochDay } from '@stechuhr/worktime';
import type { WeatherProvider } from '../src/operations/weather-port.js';
import { openMeteo } from '../src/clients/open-meteo.js';
import { hourly, munich, startWeatherServer, type WeatherAnswer, type WeatherServer } from './support/weather-server.js';

let server: WeatherServer;
let weather: WeatherProvider;
const position = { latitude: 48.137, longitude: 11.575 };
const date = epochDay(2026, 3, 10);
const never = new AbortController().signal;

beforeAll(async () => {
  server = await startWeatherServer();
  weather = openMeteo({ forecastUrl: `${server.url}/forecast?apikey=secret`, geocodingUrl: `${server.url}/places` });
});
beforeEach(() => {
  server.asked.length = 0;
  server.answers = { '/forecast': { json: hourly('2026-03-10', [0, 3, 61]) }, '/places': { json: munich } };
});
afterAll(() => server.stop());

describe('locate', () => {
  it('requests the place of an address', async () => {
    expect(await weather.locate('Musterstraße 1, 80331 München', never)).toEqual(position);
    expect(server.asked).toEqual([
      { path: '/places', query: { name: '80331', count: '1', language: 'de', countryCode: 'DE', format: 'json' } },
    ]);
  });

  it('returns undefined for an unknown place, and sends no request without a name', async () => {
    server.answers['/places'] = { json: { generationtime_ms: 0.1 } };
    expect(await weather.locate('Nirgendwo', never)).toBeUndefined();
    expect(await weather.locate(' ', never)).toBeUndefined();
    expect(server.asked).toHaveLength(1);
  });
});

describe('readDay', () => {
  it('requests one local day, and keeps the query of the service address', async () => {
    await weather.readDay(position, date, never);
    expect(server.asked[0]?.query).toEqual({
      apikey: 'secret',
      latitude: '48.137',
      longitude: '11.575',
      hourly: 'temperature_2m,weather_code,precipitation,cloud_cover,wind_speed_10m,wind_direction_10m',
      start_date: '2026-03-10',
      end_date: '2026-03-10',
      timezone: 'Europe/Berlin',
    });
  });

  it('returns readings by hour', async () => {
    const readings = await weather.readDay(position, date, never);
    expect([...readings.keys()]).toEqual(Array.from({ length: 24 }, (_, hour) => hour));
    expect(readings.get(7)).toEqual({ temperature: 17, weatherCondition: 'cloudy', precipitation: 0.4, cloudCover: 75, wind: [12.5, 0] });
    expect([readings.get(0)?.weatherCondition, readings.get(8)?.weatherCondition]).toEqual(['sunny', 'precipitation']);
  });

  it('leaves out readings that are missing, of another day or out of bounds', async () => {
    const time = ['2026-03-09T23:00', '2026-03-10T00:00', '2026-03-10T01:00', '2026-03-10T02:00'];
    const known = { temperature_2m: [1, null, 400, 3], weather_code: [0, null, 71, 7.5], wind_speed_10m: [1, 1, 1, 1] };
    server.answers['/forecast'] = { json: { hourly: { time, ...known } } };
    const nothing = { precipitation: null, cloudCover: null, wind: null };
    expect([...(await weather.readDay(position, date, never))]).toEqual([
      [1, { temperature: null, weatherCondition: 'snow', ...nothing }],
      [2, { temperature: 3, weatherCondition: null, ...nothing }],
    ]);
  });

  it('takes the first occurrence of a repeated hour', async () => {
    const time = ['2026-10-25T02:00', '2026-10-25T02:00'];
    server.answers['/forecast'] = { json: { hourly: { time, temperature_2m: [5, 4], weather_code: [0, 0] } } };
    expect((await weather.readDay(position, epochDay(2026, 10, 25), never)).get(2)?.temperature).toBe(5);
  });
});

describe('a service with failures', () => {
  it.each<[string, WeatherAnswer]>([
    ['an error', { status: 503 }],
    ['a refusal', { status: 400 }],
    ['no JSON', { text: '<html>busy</html>' }],
    ['another document', { json: { error: true, reason: 'busy' } }],
    ['no document', { json: null }],
    ['an endless answer', { text: ' '.repeat(2_000_000) }],
  ])('that returns %s is unavailable, and its key stays secret', async (_, answer) => {
    server.answers['/forecast'] = answer;
    const failure: unknown = await weather.readDay(position, date, never).catch((caught: unknown) => caught);
    expect(failure).toMatchObject({ code: 'unavailable' });
    expect(inspect(failure)).not.toContain('secret');
  });

  it('that never responds is not waited for when the caller cancels', async () => {
    server.answers['/forecast'] = 'never';
    const leave = new AbortController();
    const reading = weather.readDay(position, date, leave.signal);
    leave.abort();
    await expect(reading).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('that cannot be reached is unavailable', async () => {
    const unavailable = openMeteo({ forecastUrl: 'http://127.0.0.1:9/forecast', geocodingUrl: 'http://127.0.0.1:9/places' });
    await expect(unavailable.locate('Hamburg', never)).rejects.toMatchObject({ code: 'unavailable' });
  });
});
