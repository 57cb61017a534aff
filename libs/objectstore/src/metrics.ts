import { metrics } from '@opentelemetry/api';

const duration = metrics.getMeter('@stechuhr/objectstore').createHistogram('stechuhr.objectstore.duration', {
  unit: 's',
  description: 'Duration of a request to the object store; for a download, until it begins.',
  advice: { explicitBucketBoundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120] },
});

/**
 * Records the duration of a request, by operation and outcome: `done`, `failed`, or `interrupted` if it ended for a reason that says nothing
 * about the store.
 */
export async function measured<T>(operation: string, work: () => Promise<T>, isInterrupted: () => boolean = () => false): Promise<T> {
  const startedAt = performance.now();
  let outcome = 'failed';
  try {
    const result = await work();
    outcome = 'done';
    return result;
  } catch (caught) {
    if (isInterrupted()) outcome = 'interrupted';
    throw caught;
  } finally {
    duration.record((performance.now() - startedAt) / 1000, { operation, outcome });
  }
}
