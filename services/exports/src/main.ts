import { createLogger, runService } from '@stechuhr/service';
import { readConfig } from './config.js';
import { createExportsService } from './service.js';

const logger = createLogger('exports');

await runService(async () => {
  const config = readConfig();
  logger.level = config.logLevel;
  return createExportsService(config, logger);
}, logger);
