import { createLogger, runService } from '@stechuhr/service';
import { readConfig } from './config.js';
import { prepare } from './context.js';
import { createAbsenceRulesService } from './service.js';

await runService({ logger: createLogger('absence-rules'), readConfig, start: createAbsenceRulesService, prepare });
