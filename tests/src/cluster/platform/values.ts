import type { Images } from '../images/current.js';

/** What differs from one installation to the next. */
export interface Settings {
  readonly images: Images;
  /** Of the four servers. */
  readonly serverImages: Images;
  /** Where this machine reaches the object store. */
  readonly publicEndpoint: string;
  /** With connection strings of MongoDB, where the chart's own do not fit. */
  readonly mongodbSecret: string;
  /** Over everything else, field by field. */
  readonly more?: Values;
}

/** Values of a chart. */
export interface Values {
  readonly [name: string]: unknown;
}

/** The secret with an authority of the servers: none of them needs it, and every pod has to trust it. */
export const AUTHORITIES = 'authorities';

/**
 * A third of what the chart asks for: of two cores, the servers and two pods of each service leave room for one pod more, or two small
 * ones. Others wait for theirs, so that an upgrade does not start ten at a time beside those that serve.
 */
const twiceAt = (cpu: string) => ({ replicas: 2, resources: { requests: { cpu, memory: '96Mi' }, limits: { memory: '512Mi' } } });
const twice = twiceAt('100m');
const light = twiceAt('42m');

/** The whole platform with its servers, two of each service. */
export function valuesOf({ images, serverImages, publicEndpoint, mongodbSecret, more = {} }: Settings): Values {
  const values = {
    image: { references: images, pullPolicy: 'IfNotPresent' },
    infrastructure: { enabled: true, seed: 'of a cluster for tests', replicas: { nats: 3 }, images: serverImages },
    // As after an upgrade: a call between services needs a grant for its institution.
    mtls: { requireGrants: true },
    mongodb: { existingSecret: mongodbSecret },
    extraAuthorities: { existingSecret: AUTHORITIES },
    s3: { publicEndpoint },
    toolbox: { enabled: true },
    services: {
      // The load comes with one token.
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
