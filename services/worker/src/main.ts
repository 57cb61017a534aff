import { createLogger, runService } from '@stechuhr/service';
import { readConfig } from './config.js';
import { createWorkerService } from './service.js';

await runService({ logger: createLogger('worker'), readConfig, start: createWorkerService });
