import { grpcRun } from '../read-rows.js';

export const run = grpcRun(500);
