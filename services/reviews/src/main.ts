import { createLogger, runService } from '@stechuhr/service';
import { readConfig } from './config.js';
import { prepare } from './context.js';
import { createReviewsService } from './service.js';

await runService({ logger: createLogger('reviews'), readConfig, start: createReviewsService, prepare });
