import { metrics } from '@opentelemetry/api';
import type { AttemptEnd } from './operations/ports.js';

const attempts = metrics
  .getMeter('@stechuhr/worker')
  .createCounter('stechuhr.jobs.attempts', { description: 'Attempts at jobs, by result.' });

/** All counters exist from the start at 0: `rate` does not see the first increase of a counter that begins at 1. */
const ends: Readonly<Record<AttemptEnd, 0>> = { finished: 0, lost: 0, released: 0, failed: 0 };
for (const [end, none] of Object.entries(ends)) attempts.add(none, { end });

export function countAttempt(end: AttemptEnd): void {
  attempts.add(1, { end });
}
