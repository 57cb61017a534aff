import { metrics } from '@opentelemetry/api';
import type { AttemptEnd } from './operations/ports.js';

const attempts = metrics
  .getMeter('@stechuhr/worker')
  .createCounter('stechuhr.jobs.attempts', { description: 'Attempts at jobs, by how they ended.' });

export function countAttempt(end: AttemptEnd): void {
  attempts.add(1, { end });
}
