import { startMongo, type LoneServer } from '@stechuhr/local-infra';
import { openCommandLog } from './mongo-commands/heard.js';

declare global {
  // Jest hands nothing from setup to teardown but the process.
  var stechuhrMongo: LoneServer<string> | undefined;
}

/** Starts one MongoDB for all files of a test run; each file uses its own databases. */
export default async function globalSetup(): Promise<void> {
  globalThis.stechuhrMongo = await startMongo();
  // Workers inherit the environment of the process that starts them.
  process.env.STECHUHR_TEST_MONGODB_URL = globalThis.stechuhrMongo.address;
  openCommandLog();
}
