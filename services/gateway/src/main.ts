import { createLogger, runService, withoutRedaction } from '@stechuhr/service';
import { readConfig } from './config.js';
import { prepare } from './context.js';
import { createGateway } from './service.js';

await runService({
  logger: createLogger('gateway'),
  readConfig,
  start: (config, logger) => createGateway(config, logger, { requestLog: withoutRedaction(logger) }),
  prepare,
  // What the drain leaves to do takes no longer than in other services.
  stopMs: ({ drainMs }) => drainMs + 10_000,
});
