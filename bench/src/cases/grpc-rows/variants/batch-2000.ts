import { grpcRun } from '../read-rows.js';

export const run = grpcRun(2000);
