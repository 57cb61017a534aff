import { withDatabase } from '../../platform/stored-months.js';
import { FLOOR_DATABASE, type SmallWritesValues } from './values.js';

/**
 * Deletes the suppressions of the services and of the floor directly in the database, without events. Otherwise they would accumulate over
 * runs, and they are counted whenever one is added.
 */
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
