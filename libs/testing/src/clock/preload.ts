// Preloaded by services of the campaign (`NODE_OPTIONS=--import`): their clock is wrong by as many milliseconds as the file of their name in
// CLOCK_FOLDER says when they start. Timers and durations are right, as on a machine whose clock was set.
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const { CLOCK_FOLDER = '' } = process.env;
const file = join(CLOCK_FOLDER, basename(process.cwd()));
const shiftMs = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;

if (shiftMs !== 0) {
  const RightDate = Date;
  globalThis.Date = class extends RightDate {
    static override now(): number {
      return RightDate.now() + shiftMs;
    }

    constructor(...given: readonly unknown[]) {
      if (given.length === 0) super(RightDate.now() + shiftMs);
      else super(...(given as [number]));
    }
  } as DateConstructor;
}
