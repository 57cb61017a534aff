import { z } from 'zod';
import type { Bucket } from './bucket.js';

/** Validates the address of a store. A path is not allowed, because the bucket becomes the first part of the path. */
export const endpointVariable = z.url({ protocol: /^https?$/ }).refine((text) => /^[/]?$/.test(pathOf(text)), {
  error: 'must be an address without a path, such as https://s3.example.com',
});

function pathOf(text: string): string {
  const url = URL.parse(text);
  // Invalid URLs have already been reported.
  return url === null ? '' : url.pathname + url.search + url.hash;
}

/**
 * The environment variables of a service that uses the store, to be spread into its own schema: `z.object({ ...objectStoreVariables, … })`.
 */
export const objectStoreVariables = {
  S3_ENDPOINT: endpointVariable,
  S3_REGION: z.string().default('us-east-1'),
  S3_ACCESS_KEY: z.string(),
  S3_SECRET_KEY: z.string(),
  S3_BUCKET: z.string(),
};

/** Converts the values of {@link objectStoreVariables} to a {@link Bucket}. */
export function objectStoreOptions(env: z.output<z.ZodObject<typeof objectStoreVariables>>): Bucket {
  return {
    endpoint: env.S3_ENDPOINT,
    region: env.S3_REGION,
    accessKey: env.S3_ACCESS_KEY,
    secretKey: env.S3_SECRET_KEY,
    bucket: env.S3_BUCKET,
  };
}
