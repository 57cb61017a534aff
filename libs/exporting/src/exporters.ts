/** The exporters of the spec, in its order. */
export const exporterNames = ['generic', 'payroll_a', 'payroll_b', 'multi'] as const;

/** One of the exporters. */
export type ExporterName = (typeof exporterNames)[number];

/** Whether the name is one of the spec's exporters (case-sensitive). */
export function isExporterName(name: string): name is ExporterName {
  return exporterNames.some((known) => known === name);
}
