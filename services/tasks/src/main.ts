import { createLogger, runService } from '@stechuhr/service';
import { readConfig } from './config.js';
import { createTasksService } from './service.js';

const logger = createLogger('tasks');

await runService(async () => {
  const config = readConfig();
  logger.level = config.logLevel;
  return createTasksService(config, logger);
}, logger);
