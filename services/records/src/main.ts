import { createLogger, runService } from '@stechuhr/service';
import { readConfig } from './config.js';
import { prepare } from './context.js';
import { createRecordsService } from './service.js';

await runService({
  logger: createLogger('records'),
  readConfig,
  start: createRecordsService,
  prepare,
  drainMs: ({ drainMs }) => drainMs,
  stopMs: () => 15_000,
});
