import type { Proration } from './proration.js';

/** Each part of a cycle grants the full amount. */
export const none: Proration = ({ amount }) => amount;
