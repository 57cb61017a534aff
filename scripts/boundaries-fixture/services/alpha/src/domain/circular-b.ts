import { a } from './circular-a.js';

export const b = (): unknown => a;
