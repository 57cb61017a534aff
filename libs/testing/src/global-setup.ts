import { startMongo, type LoneServer } from '@stechuhr/local-infra';
import { openCommandLog } from './mongo-commands/command-log.js';
import { offerShared, type Errands, type Shared, type SharedOffer } from './shared.js';

declare global {
  // Setup and teardown can only share globals of the process.
  var stechuhrMongo: LoneServer<string> | undefined;
  var stechuhrShared: SharedOffer | undefined;
}

/**
 * Disables Java's optimizing compiler for the servers that test files start: each of them uses less CPU time than it would take. The MongoDB of the run
 * does not, and has already been started.
 */
const FEW_SECONDS = '-XX:TieredStopAtLevel=1';

/**
 * Starts one MongoDB for all files of a test run; each file uses its own databases.
 *
 * @param startShared starts the resources that end-to-end suites share, when one of them requests them
 * @param errands operations that this process performs for test files
 */
export async function setUpRun(startShared: (settings: unknown) => Promise<Shared>, errands: Errands): Promise<void> {
  globalThis.stechuhrMongo = await startMongo();
  // Workers inherit the environment of the process that starts them.
  process.env.STECHUHR_TEST_MONGODB_URL = globalThis.stechuhrMongo.address;
  process.env.JDK_JAVA_OPTIONS ??= FEW_SECONDS;
  openCommandLog();
  globalThis.stechuhrShared = await offerShared(startShared, errands);
}
