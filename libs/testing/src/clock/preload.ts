// Preloaded by services of the fault campaign (`NODE_OPTIONS=--import`). It shifts their clock by the number of milliseconds in the file
// with their name in CLOCK_FOLDER, until the file is removed. Timers and durations stay correct, like on a machine whose clock is set.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const READ_INTERVAL_MS = 100;

const { CLOCK_FOLDER = '' } = process.env;
const file = join(CLOCK_FOLDER, basename(process.cwd()));
let shiftMs = 0;

function readShift(): void {
  try {
    shiftMs = Number(readFileSync(file, 'utf8'));
  } catch {
    shiftMs = 0;
  }
}

if (CLOCK_FOLDER !== '') {
  readShift();
  setInterval(readShift, READ_INTERVAL_MS).unref();
  const RealDate = Date;
  // Libraries compare class names, and Node itself creates dates of the original class.
  globalThis.Date = class Date extends RealDate {
    static override now(): number {
      return RealDate.now() + shiftMs;
    }

    static override [Symbol.hasInstance](value: unknown): boolean {
      return value instanceof RealDate;
    }

    constructor(...given: readonly unknown[]) {
      if (given.length === 0) super(RealDate.now() + shiftMs);
      else super(...(given as [number]));
    }
  } as DateConstructor;
}
