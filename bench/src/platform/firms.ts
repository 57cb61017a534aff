import type { FirmPlan } from '../data/firm.js';

/** Firms of different sizes lie beside each other in one platform. */
const numbered = (employees: number, kind: number): { number: number; employees: number } => ({ number: employees * 10 + kind, employees });

/** The year of a firm that exports write. */
export const yearFirm = (employees: number): FirmPlan => {
  return { ...numbered(employees, 1), from: '2025-01-01', to: '2025-12-31', careless: false };
};

/** One month of a firm whose review finds something. */
export const monthFirm = (employees: number): FirmPlan => {
  return { ...numbered(employees, 2), from: '2025-10-01', to: '2025-10-31', careless: true };
};
