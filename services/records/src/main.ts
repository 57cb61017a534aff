import { createLogger, runService } from '@stechuhr/service';
import { readConfig } from './config.js';
import { createRecordsService } from './service.js';

const logger = createLogger('records');

await runService(async () => {
  const config = readConfig();
  logger.level = config.logLevel;
  return createRecordsService(config, logger);
}, logger);
