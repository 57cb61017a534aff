/** The pending messages of one outbox of a service. */
export interface Outbox {
  readonly store: string;
  readonly documents: number;
  readonly age_seconds: number;
}

const LINE = /^stechuhr_outbox_(waiting|age)\{([^}]*)\} ([0-9.e+-]+)/u;
const STORE = /(?:^|,)store="([^"]*)"/u;

/** Extracts the outboxes from the metrics of a service (Prometheus text), by name. */
export function readOutboxes(metrics: string): readonly Outbox[] {
  const found = new Map<string, { documents: number; age_seconds: number }>();
  for (const line of metrics.split('\n')) {
    const [, metric, labels = '', value] = LINE.exec(line) ?? [];
    const store = STORE.exec(labels)?.[1];
    if (metric === undefined || store === undefined) continue;
    const outbox = found.get(store) ?? { documents: 0, age_seconds: 0 };
    if (metric === 'waiting') outbox.documents = Number(value);
    else outbox.age_seconds = Math.round(Number(value) * 10) / 10;
    found.set(store, outbox);
  }
  return [...found].map(([store, outbox]) => ({ store, ...outbox })).sort((a, b) => (a.store < b.store ? -1 : 1));
}
