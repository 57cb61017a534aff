import { readFileSync } from 'node:fs';
import { busVariables } from '@stechuhr/bus';
import { mongoOptions, mongoVariables } from '@stechuhr/mongo';
import { loadConfig, serverOptions, serviceVariables } from '@stechuhr/service';
import { z } from 'zod';

const atATime = z.coerce.number().int().min(1).max(10_000);

/**
 * Read immediately, so that an unreadable file is reported like any other configuration error, before the service connects to its servers.
 */
const textFile = z.string().transform((path, { addIssue }) => {
  try {
    return readFileSync(path, 'utf8');
  } catch (caught) {
    addIssue({ code: 'custom', message: `cannot be read: ${(caught as Error).message}` });
    return z.NEVER;
  }
});

const schema = z
  .object({
    ...serviceVariables,
    ...mongoVariables('stechuhr_webhooks'),
    ...busVariables,
    WEBHOOK_ALLOWED_HOSTS: z.string().default(''),
    WEBHOOK_CA_FILE: textFile.optional(),
    CONCURRENT_REQUESTS: atATime.default(128),
    REQUESTS_PER_INSTITUTION: atATime.default(8),
    SENDER_LEASE_SECONDS: z.coerce.number().min(1).max(3_600).default(60),
  })
  .transform((env) => ({
    ...serverOptions(env),
    mongodb: mongoOptions(env),
    natsUrl: env.NATS_URL,
    targets: {
      /** Host names whose addresses may be private, for development. */
      allowedHosts: env.WEBHOOK_ALLOWED_HOSTS.split(',').flatMap((host) => host.trim().toLowerCase() || []),
      /** An additional authority for certificates of targets, in PEM. */
      authority: env.WEBHOOK_CA_FILE,
    },
    requests: { concurrency: env.CONCURRENT_REQUESTS, perKey: env.REQUESTS_PER_INSTITUTION },
    leaseMs: env.SENDER_LEASE_SECONDS * 1000,
  }));

export type Config = Readonly<z.output<typeof schema>>;

export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  return loadConfig(schema, env);
}
