import type { ExporterName } from '../exporters.js';
import type { FixedLayout } from './fixed-layout.js';
import { payrollA } from './payroll-a.js';
import { payrollB } from './payroll-b.js';

const layouts: Readonly<Partial<Record<ExporterName, FixedLayout>>> = { payroll_a: payrollA, payroll_b: payrollB };

/** Returns the layout of an exporter; undefined if its rows and columns can be chosen. */
export function fixedLayoutOf(exporter: ExporterName): FixedLayout | undefined {
  return layouts[exporter];
}
