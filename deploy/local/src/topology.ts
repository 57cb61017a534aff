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
}

/** The whole platform: who needs which server and which peer. A new service is one line here. */
export const topology: readonly ServiceDefinition[] = [
  { name: 'records', needs: ['mongodb', 'nats', 'redis'], calls: [], serves: 'grpc' },
  { name: 'exports', needs: ['nats'], calls: ['records', 'absence-rules', 'tasks', 'reviews'], serves: 'grpc' },
  { name: 'tasks', needs: ['mongodb', 'nats', 's3'], calls: [], serves: 'grpc', provisionsBus: true },
  { name: 'worker', needs: ['nats', 's3'], calls: ['tasks', 'records', 'absence-rules', 'daily-reports'], serves: 'nothing' },
  { name: 'absence-rules', needs: ['mongodb', 'nats'], calls: ['records'], serves: 'grpc' },
  { name: 'reviews', needs: ['mongodb', 'nats'], calls: ['records'], serves: 'grpc' },
  { name: 'daily-reports', needs: ['mongodb', 'nats', 's3'], calls: ['records', 'tasks'], serves: 'grpc' },
  { name: 'webhooks', needs: ['mongodb', 'nats'], calls: [], serves: 'grpc' },
  {
    name: 'gateway',
    needs: ['mongodb', 'nats', 'redis'],
    calls: ['records', 'exports', 'tasks', 'absence-rules', 'reviews', 'daily-reports', 'webhooks'],
    serves: 'http',
  },
];
