import { createLogger, runService } from '@stechuhr/service';
import { readConfig } from './config.js';
import { prepare } from './context.js';
import { createWebhooksService } from './service.js';

await runService({ logger: createLogger('webhooks'), readConfig, start: createWebhooksService, prepare });
