import { beforeAll } from '@jest/globals';
import { startTestPlatform, WITH_TELEMETRY, type TestPlatform } from '../support/platform.js';

/** The platform of the suites in this folder, with all services. Each suite has an institution of its own. */
export let platform: TestPlatform;

// The suites import this module, so this hook comes before theirs.
beforeAll(async () => {
  // Waiting events are counted with metrics.
  platform = await startTestPlatform(WITH_TELEMETRY, ['tasks', 'worker', 'daily-reports', 'webhooks']);
});
