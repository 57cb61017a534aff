import type { Run } from '../../harness/types.js';
import { platformValues } from '../measured-download.js';
import { withDatabase, type DrainValues } from '../stored-months.js';

/** The floor: reads the same documents sequentially with native cursors and discards them. */
export const run: Run = ({ values }) => {
  const { mongodbUrl, drains } = platformValues<DrainValues>(values);
  return withDatabase(mongodbUrl, 'records', async ({ connection }) => {
    const startedAt = performance.now();
    let documents = 0;
    for (const { collection, filter } of drains) {
      for await (const _ of connection.collection(collection).find(filter, { projection: { outbox: 0 } })) documents += 1;
    }
    return { values: { wallMs: performance.now() - startedAt, documents } };
  });
};
