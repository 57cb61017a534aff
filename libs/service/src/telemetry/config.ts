/** Sets missing standard variables before the SDK reads them. Empty ones count as missing, as the specification says. */
export function fillEnvironment(serviceName: string): void {
  process.env.OTEL_SERVICE_NAME ||= serviceName;
}

/** Whether a destination for spans is configured. */
export function exportsSpans(): boolean {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, OTEL_TRACES_EXPORTER } = process.env;
  if (OTEL_TRACES_EXPORTER === 'none') return false;
  return Boolean(OTEL_EXPORTER_OTLP_ENDPOINT || OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || OTEL_TRACES_EXPORTER);
}

/** The OTLP transport; the default of the SDK is `http/protobuf`. */
export type Protocol = 'grpc' | 'http/json' | 'http/protobuf';

/** The exporters of spans and their batch settings, from the standard variables. */
export interface TraceExport {
  readonly exporters: readonly ('console' | 'otlp')[];
  readonly protocol: Protocol;
  readonly batch: Readonly<Record<string, number>>;
}

/** The sampling of traces that begin in this process; traces of callers follow the decision of the caller. */
export interface Sampling {
  readonly followsCaller: boolean;
  /** 0 to 1. */
  readonly ratio: number;
}

/** Reads `OTEL_TRACES_SAMPLER` and its argument; by default, all traces are sampled. Unknown values count as not set. */
export function readSampling(): Sampling {
  const { OTEL_TRACES_SAMPLER: sampler = '', OTEL_TRACES_SAMPLER_ARG: given } = process.env;
  const followsCaller = !/^(always_on|always_off|traceidratio)$/.test(sampler);
  const argument = given === undefined || given.trim() === '' ? NaN : Number(given);
  if (sampler.endsWith('always_off')) return { followsCaller, ratio: 0 };
  return { followsCaller, ratio: sampler.endsWith('traceidratio') && argument >= 0 && argument <= 1 ? argument : 1 };
}

const BATCH_VARIABLES = {
  maxQueueSize: 'OTEL_BSP_MAX_QUEUE_SIZE',
  scheduledDelayMillis: 'OTEL_BSP_SCHEDULE_DELAY',
  exportTimeoutMillis: 'OTEL_BSP_EXPORT_TIMEOUT',
  maxExportBatchSize: 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE',
};

/** Reads the settings of the trace export. Unknown values count as not set, as the specification says. */
export function readTraceExport(): TraceExport {
  const { OTEL_TRACES_EXPORTER, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL, OTEL_EXPORTER_OTLP_PROTOCOL } = process.env;
  const names = (OTEL_TRACES_EXPORTER || 'otlp').split(',').map((name) => name.trim());
  const protocol = (OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || OTEL_EXPORTER_OTLP_PROTOCOL)?.trim();
  const batch = Object.entries(BATCH_VARIABLES)
    .map(([option, variable]) => [option, Number(process.env[variable] || NaN)] as const)
    .filter(([, value]) => value >= 0);
  return {
    exporters: (['console', 'otlp'] as const).filter((name) => names.includes(name)),
    protocol: protocol === 'grpc' || protocol === 'http/json' ? protocol : 'http/protobuf',
    batch: Object.fromEntries(batch),
  };
}
