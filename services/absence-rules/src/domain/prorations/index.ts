import type { ProrationName } from '../entitlement.js';
import { burlg } from './burlg.js';
import { none } from './none.js';
import type { Proration } from './proration.js';
import { twelfths } from './twelfths.js';

export const prorations: Readonly<Record<ProrationName, Proration>> = { none, twelfths, burlg };
