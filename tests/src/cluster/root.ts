import { fileURLToPath } from 'node:url';

/** Path of the checkout. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');
