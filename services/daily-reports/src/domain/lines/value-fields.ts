import { required, type Read } from '@stechuhr/ingest/kinds';
import type { z } from 'zod';

const CLOCK_TIME = /^([01]\d|2[0-3]):?([0-5]\d)$/;
const SIGNATURE = /^data:image\/(?:png|jpeg);base64,([A-Za-z0-9+/]+={0,2})$/;
const MAX_SIGNATURE_BYTES = 200 * 1024;

export function number(min: number, max: number): z.ZodType<number> {
  const problem = `must be a number from ${String(min)} to ${String(max)}`;
  return required((value) => (typeof value === 'number' && value >= min && value <= max ? { value } : { problem }), {
    ...{ type: 'number', minimum: min, maximum: max },
  });
}

/** Parses a time of day, with or without the colon, into `HH:MM`. */
export const clockTime = required<string>(
  (value) => {
    const match = typeof value === 'string' ? CLOCK_TIME.exec(value) : null;
    return match === null ? { problem: 'must be a time of the day like 07:00' } : { value: `${match[1] ?? ''}:${match[2] ?? ''}` };
  },
  { type: 'string', pattern: CLOCK_TIME.source },
);

/** Parses a drawn signature as a data URL. */
export const signatureImage = required<string>(
  (value) => {
    const digits = typeof value === 'string' ? SIGNATURE.exec(value)?.[1] : undefined;
    if (typeof value !== 'string' || digits === undefined) return { problem: 'must be a base64 data URL of a PNG or JPEG image' };
    if (Buffer.byteLength(digits, 'base64') > MAX_SIGNATURE_BYTES) return { problem: 'may not be larger than 200 kB' };
    return { value };
  },
  { type: 'string', pattern: SIGNATURE.source },
);

/** Parses speed and direction of the wind. */
export function readWind(value: unknown): Read<readonly [number, number]> {
  const [speed, direction, ...rest]: readonly unknown[] = Array.isArray(value) ? value : [];
  const isWind = isBetween(speed, 0, 1_000) && isBetween(direction, 0, 359) && rest.length === 0;
  return isWind ? { value: [speed, direction] } : { problem: 'must be a pair of speed and direction, from 0 to 359 degrees' };
}

function isBetween(value: unknown, min: number, max: number): value is number {
  return typeof value === 'number' && value >= min && value <= max;
}
