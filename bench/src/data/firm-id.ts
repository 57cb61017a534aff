const KINDS = [
  'institution',
  'account',
  'department',
  'project',
  'employee',
  'contract',
  'absence',
  'workmonth',
  'workday',
  'timespan',
  'entitlement',
  'report-entry',
] as const;

/** The id of the nth record of a kind in a firm. */
export function firmId(firm: number, kind: (typeof KINDS)[number], n: number): string {
  const group = (0x4000 + KINDS.indexOf(kind)).toString(16);
  return `${(0xbe00 + firm).toString(16).padStart(8, '0')}-0000-${group}-8000-${n.toString(16).padStart(12, '0')}`;
}
