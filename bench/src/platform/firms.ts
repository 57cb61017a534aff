import type { FirmPlan } from '../data/firm.js';

/** Two years of a firm: exports read the second, and both where growth counts. */
export const yearFirm = (employees: number): FirmPlan => ({ number: 1, employees, from: '2024-01-01', to: '2025-12-31' });
