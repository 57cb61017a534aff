import { createLogger, runService } from '@stechuhr/service';
import { readConfig } from './config.js';
import { createWorkerService } from './service.js';

const logger = createLogger('worker');

await runService(async () => {
  const config = readConfig();
  logger.level = config.logLevel;
  return createWorkerService(config, logger);
}, logger);
