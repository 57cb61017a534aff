import { createLogger, runService } from '@stechuhr/service';
import { readConfig } from './config.js';
import { createExportsService } from './service.js';

await runService({
  logger: createLogger('exports'),
  readConfig,
  start: createExportsService,
  drainMs: ({ drainMs }) => drainMs,
  stopMs: () => 15_000,
});
