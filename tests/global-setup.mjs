import { startPlatform } from '@stechuhr/local';
import { Home } from '@stechuhr/local-infra';
import { setUpRun } from '../libs/testing/dist/global-setup.js';
import * as errands from './errands.mjs';

/** What a Jest run needs before its test files: its MongoDB, and the platform that end-to-end suites share once one of them asks for it. */
export default function globalSetup() {
  return setUpRun(startSharedPlatform, errands);
}

/** @param {unknown} settings of `startPlatform`, which tests/src/support/shared-platform.ts sends */
async function startSharedPlatform(settings) {
  const home = await Home.temporary();
  try {
    const platform = await startPlatform({ .../** @type {object} */ (settings), home, own: true });
    const stop = async () => {
      await platform.stop();
      await home.close();
    };
    return { shown: { home: home.path, run: platform.run }, stop };
  } catch (error) {
    await home.close();
    throw error;
  }
}
