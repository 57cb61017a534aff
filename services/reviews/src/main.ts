import { createLogger, runService } from '@stechuhr/service';
import { readConfig } from './config.js';
import { createReviewsService } from './service.js';

const logger = createLogger('reviews');

await runService(async () => {
  const config = readConfig();
  logger.level = config.logLevel;
  return createReviewsService(config, logger);
}, logger);
