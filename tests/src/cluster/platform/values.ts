import type { Images } from '../images/current.js';

/** Settings that differ between installations. */
export interface Settings {
  readonly images: Images;
  /** Images of the four servers. */
  readonly serverImages: Images;
  /** URL of the object store for clients on this machine. */
  readonly publicEndpoint: string;
  /** Name of a secret with connection strings of MongoDB, if those of the chart cannot be used. */
  readonly mongodbSecret: string;
  /** Values that are merged over all others. */
  readonly more?: Values;
}

/** Values of a chart. */
export interface Values {
  readonly [name: string]: unknown;
}

/** Name of a secret with a CA for the servers. No server uses it, but every pod has to trust it. */
export const AUTHORITIES = 'authorities';

/**
 * Two replicas with a third of the chart's resource requests: with two cores, this leaves resources for one more pod or two small ones.
 * Further pods have to wait, so that an upgrade does not start ten pods at once next to those that serve.
 */
const twiceAt = (cpu: string) => ({ replicas: 2, resources: { requests: { cpu, memory: '96Mi' }, limits: { memory: '512Mi' } } });
const twice = twiceAt('100m');
const light = twiceAt('42m');

/** Returns the values of the whole platform with its servers and two replicas of each service. */
export function valuesOf({ images, serverImages, publicEndpoint, mongodbSecret, more = {} }: Settings): Values {
  const values = {
    image: { references: images, pullPolicy: 'IfNotPresent' },
    infrastructure: { enabled: true, seed: 'of a cluster for tests', replicas: { nats: 3 }, images: serverImages },
    // The final setting after an upgrade: a call between services requires a grant for its institution.
    mtls: { requireGrants: true },
    mongodb: { existingSecret: mongodbSecret },
    extraAuthorities: { existingSecret: AUTHORITIES },
    s3: { publicEndpoint },
    toolbox: { enabled: true },
    services: {
      // No rate limit, because all load uses one token.
      gateway: { ...twice, env: { RATE_LIMIT_PER_MINUTE: 0, EXPORT_RATE_LIMIT_PER_MINUTE: 0 } },
      records: twice,
      exports: twice,
      reviews: twice,
      tasks: light,
      worker: light,
      'absence-rules': light,
      'daily-reports': light,
      webhooks: light,
    },
  };
  return merged(values, more);
}

function merged(under: Values, over: Values): Values {
  const result: Record<string, unknown> = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const old = result[key];
    result[key] = isValues(old) && isValues(value) ? merged(old, value) : value;
  }
  return result;
}

function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
