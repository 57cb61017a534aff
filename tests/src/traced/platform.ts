import { beforeAll } from '@jest/globals';
import { startOtlpReceiver, type OtlpReceiver } from '@stechuhr/testing';
import { startTestPlatform, type TestPlatform } from '../support/platform.js';

/** The platform of the suites in this folder, whose spans they read. Each suite has an institution of its own. */
export let platform: TestPlatform;
export let otlp: OtlpReceiver;

// The suites import this module, so this hook comes before theirs.
beforeAll(async () => {
  otlp = await startOtlpReceiver();
  platform = await startTestPlatform(otlp.environment, ['tasks', 'worker', 'daily-reports']);
});

export async function stopPlatform(): Promise<void> {
  await platform.stop();
  await otlp.stop();
}
