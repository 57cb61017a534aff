import { createLogger, runService } from '@stechuhr/service';
import { readConfig } from './config.js';
import { prepare } from './context.js';
import { createDailyReportsService } from './service.js';

await runService({
  logger: createLogger('daily-reports'),
  readConfig,
  start: createDailyReportsService,
  prepare,
  drainMs: ({ drainMs }) => drainMs,
  stopMs: () => 15_000,
});
