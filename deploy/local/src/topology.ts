/** What a service is given: addresses of servers and of the services that it calls. */
type Need = 'mongodb' | 'nats' | 'redis' | 's3';

/** One line of the platform. */
export interface ServiceDefinition {
  readonly name: string;
  readonly needs: readonly Need[];
  /** Services whose gRPC address it gets as `<NAME>_ADDRESS`. */
  readonly calls: readonly string[];
  /** The port that it serves besides its admin port. */
  readonly serves: 'grpc' | 'http' | 'nothing';
  /** Whether it creates streams and consumers for all of them, with the user for that (ADR 27). */
  readonly provisionsBus?: true;
  /** Whether clients may still be downloading through it when it is to stop: it waits for them, for `DRAIN_SECONDS`. */
  readonly drains?: true;
  /** Half of V8's young generation, in MB, where it is not {@link YOUNG_GENERATION_MB}. */
  readonly youngGenerationMb?: number;
}

/** What the exports need: with 8 they take up to twice the time (bench/README.md). */
const YOUNG_GENERATION_MB = 16;

/**
 * Options of Node for a service. Where memory is plenty V8 lets several hundred MB of garbage pile up before it collects any; these bounds are
 * far above what a service keeps alive, and a smaller young generation also makes its pauses shorter.
 */
export function memoryOptions({ youngGenerationMb = YOUNG_GENERATION_MB }: ServiceDefinition): readonly string[] {
  return ['--max-old-space-size=224', `--max-semi-space-size=${String(youngGenerationMb)}`];
}

/** Arguments of deploy/Dockerfile for the image of a service. */
export function imageArguments({
  name,
  youngGenerationMb,
}: Pick<ServiceDefinition, 'name' | 'youngGenerationMb'>): Readonly<Record<string, string>> {
  return { SERVICE: name, ...(youngGenerationMb !== undefined && { YOUNG_GENERATION_MB: String(youngGenerationMb) }) };
}

/** The whole platform: who needs which server and which peer. A new service is one line here. */
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
