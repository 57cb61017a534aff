import { AppError } from '@stechuhr/kernel';
import { formatLocalDate, type EpochDay } from '@stechuhr/worktime';
import { z } from 'zod';
import { conditionOf } from '../domain/weather-condition.js';
import type { Position, WeatherProvider, WeatherReading } from '../operations/weather-port.js';

export interface WeatherService {
  /** Address of the hourly forecast for a position. Its query may contain a key. */
  readonly forecastUrl: string;
  /** Address of the geocoding service, which returns positions for a place. */
  readonly geocodingUrl: string;
}

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 1_048_576;
const POSTCODE = /(?<!\d)\d{5}(?!\d)/g;
const VARIABLES = ['temperature_2m', 'weather_code', 'precipitation', 'cloud_cover', 'wind_speed_10m', 'wind_direction_10m'];

/** A column of values. Values out of bounds count as missing. */
const column = (min: number, max: number) => z.array(z.number().min(min).max(max).nullable().catch(null)).default([]);

const forecast = z.object({
  hourly: z.object({
    time: z.array(z.string()),
    temperature_2m: column(-100, 100),
    weather_code: column(0, 99),
    precipitation: column(0, 1_000_000),
    cloud_cover: column(0, 100),
    wind_speed_10m: column(0, 1_000_000),
    wind_direction_10m: column(0, 360),
  }),
});
type Hourly = z.output<typeof forecast>['hourly'];

const places = z.object({
  results: z.array(z.object({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) })).default([]),
});

/** Creates a client for a weather service with the API of Open-Meteo (open-meteo.com/en/docs), the public one or a self-hosted one. */
export function openMeteo({ forecastUrl, geocodingUrl }: WeatherService): WeatherProvider {
  return {
    async locate(address, signal) {
      const name = placeOf(address);
      if (name === undefined) return undefined;
      const query = { name, count: '1', language: 'de', countryCode: 'DE', format: 'json' };
      const [first] = understood(places, await fetchJson(geocodingUrl, query, signal)).results;
      return first;
    },
    async readDay(position, date, signal) {
      const { hourly } = understood(forecast, await fetchJson(forecastUrl, queryOf(position, date), signal));
      return readingsOf(hourly, date);
    },
  };
}

function queryOf({ latitude, longitude }: Position, date: EpochDay): Record<string, string> {
  const day = formatLocalDate(date);
  return {
    latitude: String(latitude),
    longitude: String(longitude),
    hourly: VARIABLES.join(','),
    start_date: day,
    end_date: day,
    timezone: 'Europe/Berlin',
  };
}

/** Returns the readings by hour. Times are local, `YYYY-MM-DDTHH:MM`. In the repeated hour (October), the first occurrence counts. */
function readingsOf(hourly: Hourly, date: EpochDay): ReadonlyMap<number, WeatherReading> {
  const day = formatLocalDate(date);
  const readings = new Map<number, WeatherReading>();
  for (const [index, time] of hourly.time.entries()) {
    const hour = Number(time.slice(11, 13));
    const reading = readingAt(hourly, index);
    if (time.startsWith(`${day}T`) && !readings.has(hour) && reading !== undefined) readings.set(hour, reading);
  }
  return readings;
}

/** Returns a reading; undefined if neither temperature nor condition is known. */
function readingAt(hourly: Hourly, index: number): WeatherReading | undefined {
  const temperature = hourly.temperature_2m[index] ?? null;
  const weatherCondition = conditionOf(hourly.weather_code[index] ?? null);
  if (temperature === null && weatherCondition === null) return undefined;
  const speed = hourly.wind_speed_10m[index] ?? null;
  const direction = hourly.wind_direction_10m[index] ?? null;
  return {
    temperature,
    weatherCondition,
    precipitation: hourly.precipitation[index] ?? null,
    cloudCover: hourly.cloud_cover[index] ?? null,
    wind: speed === null || direction === null ? null : [speed, Math.round(direction) % 360],
  };
}

function understood<T>(schema: z.ZodType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new AppError('unavailable', 'The weather service gave an invalid answer.', { cause: parsed.error });
}

/**
 * Returns the part of an address that geocoders of places understand: its postcode, which is the last number of five digits, or else the
 * text after its last comma.
 */
export function placeOf(address: string): string | undefined {
  const postcode = address.match(POSTCODE)?.at(-1);
  if (postcode !== undefined) return postcode;
  const parts = address.split(/[,\n]/).map((part) => part.trim());
  return parts.findLast((part) => part !== '');
}

/**
 * Fetches a small JSON document within a time limit.
 *
 * @throws AppError `unavailable`; neither it nor its cause contains the address, which may include a key
 */
async function fetchJson(url: string, query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<unknown> {
  const address = new URL(url);
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const response = await fetch(address, { signal: limited, headers: { accept: 'application/json' }, redirect: 'error' });
    const body = await readText(response);
    if (!response.ok) throw new Error(`It answered ${String(response.status)}.`);
    return JSON.parse(body);
  } catch (caught) {
    throw new AppError('unavailable', `The weather service at ${address.host} gave no answer.`, { cause: caught });
  }
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    const bytes = chunk as Uint8Array;
    size += bytes.length;
    if (size > MAX_BYTES) throw new Error(`It answered more than ${String(MAX_BYTES)} bytes.`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}
