import type { TokenAdmin } from '@stechuhr/gateway/admin';
import { AppError } from '@stechuhr/kernel';
import { explainUnavailable } from '../explain-unavailable.js';
import { Failure } from '../failure.js';
import type { Platform } from '../platform.js';
import { quietLogger } from '../quiet-logger.js';

/**
 * Opens the token stores for one command.
 * @throws Failure that names the unavailable server
 */
export async function withTokenAdmin<T>(platform: Platform, run: (admin: TokenAdmin) => Promise<T>): Promise<T> {
  const recordsAddress = platform.grpcAddress('records');
  const stores = platform.tokenStores();
  // Loading the MongoDB client takes most of a command's start time, and many commands end before they need it.
  const { openTokenAdmin } = await import('@stechuhr/gateway/admin');
  const admin = await openTokenAdmin({ ...stores, recordsAddress, logger: quietLogger }).catch((caught: unknown) => {
    if (caught instanceof AppError && caught.code === 'invalid') throw new Failure(caught.message, 1, caught);
    throw noDatabase(caught);
  });
  try {
    return await run(admin);
  } catch (caught) {
    // Errors of the database driver arrive as they are.
    if (!(caught instanceof AppError) && AppError.from(caught).code === 'unavailable') throw noDatabase(caught);
    throw explainUnavailable(caught, { records: recordsAddress });
  } finally {
    await admin.close();
  }
}

function noDatabase(caught: unknown): Failure {
  const reason = caught instanceof Error ? caught.message : String(caught);
  return new Failure(`The database of the tokens does not answer: ${reason}\nIs the platform running ("npm start")?`, 1, caught);
}
