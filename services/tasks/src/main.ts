import { createLogger, runService } from '@stechuhr/service';
import { readConfig } from './config.js';
import { prepare } from './context.js';
import { createTasksService } from './service.js';

await runService({ logger: createLogger('tasks'), readConfig, start: createTasksService, prepare });
