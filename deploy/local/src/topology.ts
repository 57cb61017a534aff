/** A server that a service needs. */
type Need = 'mongodb' | 'nats' | 'redis' | 's3';

/** A service of the platform. */
export interface ServiceDefinition {
  readonly name: string;
  readonly needs: readonly Need[];
  /** Services whose gRPC address it gets as `<NAME>_ADDRESS`. */
  readonly calls: readonly string[];
  /** What it serves in addition to its admin port. */
  readonly serves: 'grpc' | 'http' | 'nothing';
  /** Whether it creates streams and consumers for all services, with the user that may do so (ADR 27). */
  readonly provisionsBus?: true;
  /** Whether clients may still be downloading when it is stopped: it then waits for them, for `DRAIN_SECONDS`. */
  readonly drains?: true;
  /** Half of V8's young generation, in MB, if it differs from {@link YOUNG_GENERATION_MB}. */
  readonly youngGenerationMb?: number;
}

/** Chosen for exports, which take up to twice as long with 8 (bench/README.md). */
const YOUNG_GENERATION_MB = 16;

/**
 * Node options of a service. With plenty of memory, V8 lets several hundred MB of garbage accumulate before it collects any. These limits are far
 * above what a service needs; a smaller young generation also shortens pauses.
 */
export function memoryOptions({ youngGenerationMb = YOUNG_GENERATION_MB }: ServiceDefinition): readonly string[] {
  return ['--max-old-space-size=224', `--max-semi-space-size=${String(youngGenerationMb)}`];
}

/** Build arguments of deploy/Dockerfile for the image of a service. */
export function imageArguments({
  name,
  youngGenerationMb,
}: Pick<ServiceDefinition, 'name' | 'youngGenerationMb'>): Readonly<Record<string, string>> {
  return { SERVICE: name, ...(youngGenerationMb !== undefined && { YOUNG_GENERATION_MB: String(youngGenerationMb) }) };
}

/** The whole platform: which service needs which servers and calls which services. A new service is one entry here. */
export const topology: readonly ServiceDefinition[] = [
  { name: 'records', needs: ['mongodb', 'nats', 'redis'], calls: [], serves: 'grpc', drains: true },
  { name: 'exports', needs: ['nats'], calls: ['records', 'absence-rules', 'tasks', 'reviews'], serves: 'grpc', drains: true },
  { name: 'tasks', needs: ['mongodb', 'nats', 's3'], calls: [], serves: 'grpc', provisionsBus: true },
  { name: 'worker', needs: ['nats', 's3'], calls: ['tasks', 'records', 'absence-rules', 'daily-reports'], serves: 'nothing' },
  { name: 'absence-rules', needs: ['mongodb', 'nats'], calls: ['records'], serves: 'grpc' },
  { name: 'reviews', needs: ['mongodb', 'nats'], calls: ['records'], serves: 'grpc' },
  { name: 'daily-reports', needs: ['mongodb', 'nats', 's3'], calls: ['records', 'tasks'], serves: 'grpc', drains: true },
  { name: 'webhooks', needs: ['mongodb', 'nats'], calls: [], serves: 'grpc' },
  {
    name: 'gateway',
    needs: ['mongodb', 'nats', 'redis'],
    calls: ['records', 'exports', 'tasks', 'absence-rules', 'reviews', 'daily-reports', 'webhooks'],
    serves: 'http',
    drains: true,
    youngGenerationMb: 8,
  },
];
