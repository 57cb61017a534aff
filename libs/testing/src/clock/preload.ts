// Preloaded into services of the fault tests (`NODE_OPTIONS=--import`): their clock is off by the milliseconds in the file with their name in
// CLOCK_FOLDER, while that file exists. Timers and durations are not affected, as on a machine whose clock was set.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const LOOK_EVERY_MS = 100;

const { CLOCK_FOLDER = '' } = process.env;
const file = join(CLOCK_FOLDER, basename(process.cwd()));
let shiftMs = 0;

function look(): void {
  try {
    shiftMs = Number(readFileSync(file, 'utf8'));
  } catch {
    shiftMs = 0;
  }
}

if (CLOCK_FOLDER !== '') {
  look();
  setInterval(look, LOOK_EVERY_MS).unref();
  const RightDate = Date;
  // Keeps the name of the class, because libraries check it, and Node itself creates dates of the original class.
  globalThis.Date = class Date extends RightDate {
    static override now(): number {
      return RightDate.now() + shiftMs;
    }

    static override [Symbol.hasInstance](value: unknown): boolean {
      return value instanceof RightDate;
    }

    constructor(...given: readonly unknown[]) {
      if (given.length === 0) super(RightDate.now() + shiftMs);
      else super(...(given as [number]));
    }
  } as DateConstructor;
}
