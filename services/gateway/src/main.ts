import { createLogger, runService, withoutRedaction } from '@stechuhr/service';
import { readConfig } from './config.js';
import { prepare } from './context.js';
import { createGateway } from './service.js';

await runService({
  logger: createLogger('gateway'),
  readConfig,
  start: (config, logger) => createGateway(config, logger, { requestLog: withoutRedaction(logger) }),
  prepare,
  drainMs: ({ drainMs }) => drainMs,
  stopMs: () => 10_000,
});
