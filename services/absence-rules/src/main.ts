import { createLogger, runService } from '@stechuhr/service';
import { readConfig } from './config.js';
import { createAbsenceRulesService } from './service.js';

const logger = createLogger('absence-rules');

await runService(async () => {
  const config = readConfig();
  logger.level = config.logLevel;
  return createAbsenceRulesService(config, logger);
}, logger);
