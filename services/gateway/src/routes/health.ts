import type { Exchange, OpenRoute } from './route.js';

export interface Health {
  /** False while the service starts or stops. */
  isServing(): boolean;
  /** The checks of dependencies by name. Each one resolves within a few seconds if the dependency is available. */
  readonly checks: Readonly<Record<string, () => Promise<void>>>;
}

/** Returns the routes for load balancers, outside the API and without a token. Reasons of failures are shown only on the admin port. */
export function healthRoutes(health: Health): OpenRoute[] {
  return [
    {
      path: '/healthz',
      name: 'Alive',
      description: 'Whether the process answers.',
      authenticated: false,
      operations: {
        GET: {
          handle: ({ response }) => {
            response.json({ status: 'ok' });
            return Promise.resolve();
          },
        },
      },
    },
    {
      path: '/readyz',
      name: 'Ready',
      description: 'Whether the dependencies that every request needs are available.',
      authenticated: false,
      operations: { GET: { handle: (exchange) => answerReadiness(health, exchange) } },
    },
  ];
}

async function answerReadiness(health: Health, { response }: Exchange): Promise<void> {
  const outcomes = await Promise.allSettled(Object.values(health.checks).map((check) => check()));
  const failures = Object.keys(health.checks).filter((_, at) => outcomes[at]?.status === 'rejected');
  const ready = health.isServing() && failures.length === 0;
  response.status(ready ? 200 : 503).json(ready ? { status: 'ready' } : { status: 'not ready', failures });
}
