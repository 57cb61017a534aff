import { createHash } from 'node:crypto';
import { createRandom } from '@stechuhr/demo-firm';
import type { Outcome, RunInput } from '../../harness/types.js';

const FIRST = Date.UTC(2000, 0, 1) / 1000;
const LAST = Date.UTC(2037, 11, 31) / 1000;
const NIGHTS = ['2026-03-28T22:00:00Z', '2026-10-24T22:00:00Z'];
const NIGHT_SECONDS = 6 * 3600;

/** Returns epoch seconds: `count` random ones, and every second of the two nights in 2026 in which the clocks change. */
export function instants(count: number): Float64Array {
  const random = createRandom('instants').next;
  const nights = NIGHTS.flatMap((night) => Array.from({ length: NIGHT_SECONDS }, (_, second) => Date.parse(night) / 1000 + second));
  const list = new Float64Array(count + nights.length);
  for (let at = 0; at < count; at += 1) list[at] = FIRST + Math.floor(random() * (LAST - FIRST));
  list.set(nights, count);
  return list;
}

/** Formats all instants as `YYYY-MM-DDTHH:MM:SS` in German local time. */
export function formatAll({ size, checking }: RunInput, format: (instant: number) => string): Outcome {
  const list = instants(size);
  const startedAt = performance.now();
  if (!checking) {
    let length = 0;
    for (const instant of list) length += format(instant).length;
    return { values: { wallMs: performance.now() - startedAt, nsEach: ((performance.now() - startedAt) * 1e6) / list.length, length } };
  }
  const hash = createHash('sha256');
  for (const instant of list) hash.update(`${format(instant)}\n`);
  return { digest: hash.digest('hex'), values: { nsEach: ((performance.now() - startedAt) * 1e6) / list.length } };
}
