// Preloaded by services of the campaign (`NODE_OPTIONS=--import`): their clock is wrong by as many milliseconds as the file of their name in
// CLOCK_FOLDER says, from a moment after it was written until it is gone. Timers and durations are right, as on a machine whose clock is set.
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
  // Libraries tell types by their names, and Node itself makes dates of the class that it knows.
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
