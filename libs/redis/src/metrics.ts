import { metrics } from '@opentelemetry/api';

/** Lookups by cache and result: `hit`, `miss`, or `unavailable` when Redis did not answer. */
export const lookups = metrics
  .getMeter('@stechuhr/redis')
  .createCounter('stechuhr.cache.lookups', { description: 'Lookups in a cache of Redis.' });
