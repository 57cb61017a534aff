import { openTokenAdmin, type TokenAdmin } from '@stechuhr/gateway/admin';
import { AppError, type Logger } from '@stechuhr/kernel';
import { Failure } from '../failure.js';
import type { Platform } from '../platform.js';

/** Opens the stores of the tokens for one command. @throws Failure that says which server is away */
export async function withTokenAdmin<T>(platform: Platform, run: (admin: TokenAdmin) => Promise<T>): Promise<T> {
  const recordsAddress = platform.grpcAddress('records');
  const admin = await openTokenAdmin({ ...platform.tokenStores(), recordsAddress, logger: quietLogger }).catch((caught: unknown) => {
    const reason = caught instanceof Error ? caught.message : String(caught);
    throw new Failure(`The database of the tokens does not answer: ${reason}\nIs the platform running ("npm start")?`, 1, caught);
  });
  try {
    return await run(admin);
  } catch (caught) {
    if (!(caught instanceof AppError) || caught.code !== 'unavailable') throw caught;
    throw new Failure(
      `The records service, which knows the accounts, does not answer at ${recordsAddress}. Is the platform running?`,
      1,
      caught,
    );
  } finally {
    await admin.close();
  }
}

/** Connections that come and go are no news for somebody at a terminal; what stops a command is thrown. */
const quietLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };

function ignore(): void {
  // Nothing to say.
}
