import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { AggregationTemporality, InstrumentType, type CollectionResult } from '@opentelemetry/sdk-metrics';

/**
 * Exports what a scrape finds. The exporter of the SDK repeats the last value of a gauge for ever, even if nothing observes it any more, for
 * example the backlog of a consumer while NATS is down; here it is missing then, because an old number looks like a fact.
 */
export class MetricsExporter extends PrometheusExporter {
  #latest: Promise<unknown> = Promise.resolve();

  constructor() {
    super({ preventServerStart: true, withoutScopeInfo: true });
  }

  override selectAggregationTemporality(type: InstrumentType): AggregationTemporality {
    return type === InstrumentType.OBSERVABLE_GAUGE ? AggregationTemporality.DELTA : AggregationTemporality.CUMULATIVE;
  }

  /** Collects for one scrape after the other: of two at once, only one would have the gauges. */
  override collect(options?: Parameters<PrometheusExporter['collect']>[0]): Promise<CollectionResult> {
    const collected = this.#latest.then(() => super.collect(options));
    this.#latest = collected.catch(() => undefined);
    return collected;
  }
}
