import { createLogger, runService, withoutRedaction } from '@stechuhr/service';
import { readConfig } from './config.js';
import { createGateway } from './service.js';

const config = readConfig();
const logger = createLogger('gateway', config.logLevel);
await runService(() => createGateway(config, logger, { requestLog: withoutRedaction(logger) }), logger);
