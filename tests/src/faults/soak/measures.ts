/** A quantity that is measured in every round. */
export interface Measure {
  readonly title: string;
  readonly unit: 'MiB' | 'ms' | '';
  /** Allowed growth during a run in its unit; undefined if it grows by design and is only shown. */
  readonly allowance?: number;
}

/**
 * Quantities that must not grow. "At rest" means after a round, when all work is completed and garbage is collected. "Under load" means the
 * median of several samples in the part of a round without faults.
 */
export const measures = {
  // The young generation may grow to 48 MiB (three times `--max-semi-space-size`) over time.
  resident: { title: 'resident memory at rest', unit: 'MiB', allowance: 48 },
  native: { title: 'resident memory outside of the heap at rest', unit: 'MiB', allowance: 20 },
  heap: { title: 'heap and buffers at rest', unit: 'MiB', allowance: 5 },
  files: { title: 'open files at rest', unit: '', allowance: 6 },
  delay: { title: 'delay of the event loop under load, p99', unit: 'ms', allowance: 25 },
  tasks: { title: 'tasks at work under load', unit: '', allowance: 10 },
  reports: { title: 'interrupted writes of reports under load', unit: '', allowance: 5 },
  outbox: { title: 'documents with unpublished events under load', unit: '', allowance: 25 },
  queues: { title: 'messages in work queues under load', unit: '', allowance: 25 },
  events: { title: 'events that consumers have not handled under load', unit: '', allowance: 50 },
  webhooks: { title: 'webhooks that are not delivered under load', unit: '', allowance: 100 },
  keys: { title: 'keys in Redis at rest', unit: '', allowance: 25 },
  deadLetters: { title: 'dead letters at rest', unit: '', allowance: 0 },
  consumers: { title: 'consumers at rest', unit: '', allowance: 0 },
  stored: { title: 'events that are kept (for 14 days)', unit: '' },
  storedBytes: { title: 'their size', unit: 'MiB' },
  documents: { title: 'documents in MongoDB', unit: '' },
} as const satisfies Readonly<Record<string, Measure>>;

export type MeasureName = keyof typeof measures;
