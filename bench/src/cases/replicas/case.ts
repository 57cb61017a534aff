import { connectBus } from '@stechuhr/bus';
import { Home, startInfra } from '@stechuhr/local-infra';
import { createLogger } from '@stechuhr/service';
import type { Case, Prepared, Ratio } from '../../harness/types.js';

const COUNTS = [1, 2, 4] as const;
const LOADS = ['relay', 'agenda'] as const;

/** Four quarters of a core that share a queue do what one of them does, less a tenth for the sharing. */
const ratiosOf = (load: string): readonly Ratio[] => {
  const measure = 'perSecond';
  return [
    { goal: 'replicas', measure, of: `${load}-2`, to: `${load}-1`, target: 1.8, atLeast: true },
    { goal: 'replicas', measure, of: `${load}-4`, to: `${load}-1`, target: 3.4, atLeast: true },
    { goal: 'replicas', measure: 'repeatedShare', of: `${load}-4`, to: 0.01, target: 1, note: 'done twice, of all' },
  ];
};

/** Servers of its own: nobody else takes part in the work. */
async function prepare(): Promise<Prepared> {
  const home = await Home.temporary();
  const infra = await startInfra({ home, own: true });
  const bus = await connectBus({ servers: infra.natsUrl, name: 'bench', logger: createLogger('bench', 'warn') });
  await bus.ensureStreams();
  await bus.close();
  const { mongodbUrl, natsUrl, redisUrl, s3 } = infra;
  const { endpoint, accessKey, secretKey, bucket } = s3;
  const env = {
    ...{ MONGODB_URL: mongodbUrl, NATS_URL: natsUrl, REDIS_URL: redisUrl },
    ...{ S3_ENDPOINT: endpoint, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey, S3_BUCKET: bucket },
    LOG_LEVEL: 'info',
  };
  return {
    values: { env },
    notes: ['each replica held to a quarter of a core; servers of their own, MongoDB as in npm start'],
    before: async (variant) => ({ replicas: Number(variant.split('-').at(-1)) }),
    async close() {
      await infra.stop();
      await home.close();
    },
  };
}

export const replicas: Case = {
  name: 'replicas',
  goals: ['replicas'],
  title: 'what a process left behind, done by 1, 2 and 4 replicas: events by records, steps of tasks by tasks',
  sizes: { quick: 400, full: 12_000 },
  variants: Object.fromEntries(
    LOADS.flatMap((load) =>
      COUNTS.map((count) => [`${load}-${String(count)}`, { module: new URL(`./variants/${load}.js`, import.meta.url) }]),
    ),
  ),
  ratios: LOADS.flatMap(ratiosOf),
  prepare,
};
