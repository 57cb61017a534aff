import { metrics } from '@opentelemetry/api';
import { createInstitutionLabel } from './institution-label.js';

const meter = metrics.getMeter('@stechuhr/gateway');
const requests = meter.createCounter('stechuhr.tenant.requests', {
  description: 'Requests with a token, by institution and status class.',
});
const responses = meter.createCounter('stechuhr.responses', { description: 'Responses to clients, by status class.' });
const throttled = meter.createCounter('stechuhr.limits.refused', { description: 'Requests beyond a limit, by the limit.' });

const LIMITS = [
  'connections',
  'requests',
  'institution_requests',
  'concurrent_requests',
  'institution_concurrent_requests',
  'exports',
  'concurrent_exports',
  'held_bytes',
] as const;

export type Limit = (typeof LIMITS)[number];

/** All counters exist from the start at 0: `rate` does not see the first increase of a counter that begins at 1. */
for (const limit of LIMITS) throttled.add(0, { limit });
for (const status of ['2xx', '3xx', '4xx', '5xx']) responses.add(0, { status });

const labelOf = createInstitutionLabel();

/** Counts a response to an institution, by `2xx`, `4xx`, … @param status see `outcomeOf` */
export function countRequest(institutionId: string, status: number): void {
  requests.add(1, { institution: labelOf(institutionId), status: classOf(status) });
}

/** Counts a response to anybody, with or without a token. */
export function countResponse(status: number): void {
  responses.add(1, { status: classOf(status) });
}

/** Counts a request that was refused by a limit. */
export function countRefusal(limit: Limit): void {
  throttled.add(1, { limit });
}

function classOf(status: number): string {
  return `${Math.floor(status / 100)}xx`;
}
