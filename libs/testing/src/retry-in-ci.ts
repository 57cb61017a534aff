import { jest } from '@jest/globals';

/**
 * Integration tests share two cores with the servers that they start. In CI a failed one is run once more and its first failure is shown;
 * a test that needs this has to be fixed.
 */
if (process.env['CI'] === 'true') jest.retryTimes(1, { logErrorsBeforeRetry: true });
