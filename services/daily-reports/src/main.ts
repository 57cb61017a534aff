import { createLogger, runService } from '@stechuhr/service';
import { readConfig } from './config.js';
import { createDailyReportsService } from './service.js';

const logger = createLogger('daily-reports');

await runService(async () => {
  const config = readConfig();
  logger.level = config.logLevel;
  return createDailyReportsService(config, logger);
}, logger);
