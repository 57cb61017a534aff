import type { Client } from './client-tools.js';

/** Number of checks before the client makes the neighbouring institution publish an event. */
const CHECKS = 8;

/** Receives the webhooks of the firm. A neighbouring institution has a webhook too, so that mix-ups would be detected. */
export const webhooks: Client = {
  name: 'webhooks',
  start({ stage, firm, publish }) {
    const path = firm.subscribers[0]?.path ?? '';
    let seen = stage.receiver.at(path).length;
    let looks = 0;
    return async () => {
      if (looks++ % CHECKS === 0) await publish(firm.neighbourLine(looks), firm.neighbourId);
      const count = stage.receiver.at(path).length;
      const isServed = count > seen;
      seen = count;
      return isServed;
    };
  },
};
