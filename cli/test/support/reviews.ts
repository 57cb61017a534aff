import path from 'node:path';
import { startServiceProcess } from '@stechuhr/testing';
import type { RunningRecords } from './records.js';

const MAIN = path.resolve(import.meta.dirname, '../../../services/reviews/dist/main.js');

/** A running reviews service with a records service, and the environment for the command line to find it. */
export async function startReviews({ servers, address }: RunningRecords) {
  const { address: own, stop } = await startServiceProcess({
    main: MAIN,
    env: {
      MONGODB_URL: servers.mongodbUrl,
      MONGODB_DATABASE: servers.database('reviews'),
      NATS_URL: servers.natsUrl,
      RECORDS_ADDRESS: address,
    },
  });
  return { env: { REVIEWS_ADDRESS: own }, stop };
}
