import { startMongo, type LoneServer } from '@stechuhr/local-infra';
import { openCommandLog } from './mongo-commands/heard.js';
import { offerShared, type Errands, type Shared, type SharedOffer } from './shared.js';

declare global {
  // A global variable is the only way to pass something from Jest's setup to its teardown.
  var stechuhrMongo: LoneServer<string> | undefined;
  var stechuhrShared: SharedOffer | undefined;
}

/**
 * Starts one MongoDB for all files of a test run; each file uses its own databases.
 * @param startShared starts what the end-to-end suites share, once one of them asks for it
 * @param errands what this process does on behalf of test files
 */
export async function setUpRun(startShared: (settings: unknown) => Promise<Shared>, errands: Errands): Promise<void> {
  globalThis.stechuhrMongo = await startMongo();
  // Workers inherit the environment of the process that starts them.
  process.env.STECHUHR_TEST_MONGODB_URL = globalThis.stechuhrMongo.address;
  openCommandLog();
  globalThis.stechuhrShared = await offerShared(startShared, errands);
}
