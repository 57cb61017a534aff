/** A server whose address a service is given. */
type Need = 'mongodb' | 'nats' | 'redis' | 's3';

/** A service of the platform and what it depends on. */
export interface ServiceDefinition {
  readonly name: string;
  readonly needs: readonly Need[];
  /** Services that it calls; their gRPC addresses are passed as `<NAME>_ADDRESS`. */
  readonly calls: readonly string[];
  /** The protocol of its port, in addition to the admin port. */
  readonly serves: 'grpc' | 'http' | 'nothing';
  /** Whether it creates the streams and consumers of all services, with a separate NATS user (ADR 27). */
  readonly provisionsBus?: true;
  /** Whether clients download through it. When it stops, it waits up to `DRAIN_SECONDS` for running downloads. */
  readonly drains?: true;
  /** `--max-semi-space-size` in MB, if it differs from {@link YOUNG_GENERATION_MB}. */
  readonly youngGenerationMb?: number;
}

/** Also in the commands of deploy/Dockerfile. */
export const HEAP_OPTIONS: readonly string[] = ['--max-old-space-size=224', '--no-allocation-site-pretenuring'];

/** Exports need this size: with 8 MB they take up to twice the time (bench/README.md). */
const YOUNG_GENERATION_MB = 16;

/**
 * Returns the memory options of Node for a service. With plenty of memory, V8 lets several hundred MB of garbage accumulate before it
 * collects any. These limits are far above what a service keeps alive; a smaller young generation also shortens garbage collection pauses.
 * Pretenuring is off: in half of the processes, the parts of the first messages of a stream that were still held made V8 put all later ones
 * into the old generation, and an export met ten times as many full collections (bench/README.md).
 */
export function memoryOptions({ youngGenerationMb = YOUNG_GENERATION_MB }: ServiceDefinition): readonly string[] {
  return [...HEAP_OPTIONS, `--max-semi-space-size=${String(youngGenerationMb)}`];
}

/** Returns the build arguments of deploy/Dockerfile for the image of a service. */
export function imageArguments({
  name,
  youngGenerationMb,
}: Pick<ServiceDefinition, 'name' | 'youngGenerationMb'>): Readonly<Record<string, string>> {
  return { SERVICE: name, ...(youngGenerationMb !== undefined && { YOUNG_GENERATION_MB: String(youngGenerationMb) }) };
}

/** All services of the platform with the servers and services that they need. How to add one is in CONTRIBUTING.md. */
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
