import { connectBus, type Bus } from '@stechuhr/bus';
import { createLogger } from '@stechuhr/service';
import type { RunInput } from '../../harness/types.js';

export const logger = createLogger('bench', 'warn');

export function connectOurBus({ values }: RunInput): Promise<Bus> {
  return connectBus({ servers: String(values['servers']), name: 'bench', logger });
}
