import { b } from './circular-b.js';

export const a = (): unknown => b;
