import type { Client } from './client-tools.js';

/** How often it looks until its neighbour sends something. */
const LOOKS = 8;

/** Gets the firm's events at a server of its own, beside another institution that gets those of others. */
export const webhooks: Client = {
  name: 'webhooks',
  start({ stage, firm, publish }) {
    const path = firm.subscribers[0]?.path ?? '';
    let seen = stage.receiver.at(path).length;
    let looks = 0;
    return async () => {
      if (looks++ % LOOKS === 0) await publish(firm.neighbourLine(looks), firm.neighbourId);
      const count = stage.receiver.at(path).length;
      const isServed = count > seen;
      seen = count;
      return isServed;
    };
  },
};
