import { withDatabase } from '../../platform/stored-months.js';
import { FLOOR_DATABASE, type SmallWritesValues } from './values.js';

/** Those of a run, of both sides: a firm has few, and they are counted whenever one is added. As no client could: without events. */
export async function removeSuppressions({
  mongodbUrl,
  institutionId,
}: Pick<SmallWritesValues, 'mongodbUrl' | 'institutionId'>): Promise<void> {
  for (const database of ['reviews', FLOOR_DATABASE]) {
    await withDatabase(mongodbUrl, database, async ({ connection }) => {
      await connection.collection('suppressions').deleteMany({ institution_id: institutionId });
    });
  }
}
