/** A group of findings (spec, Finding group). Titles and descriptions are shown to users unchanged. */
export interface FindingGroup {
  readonly value: string;
  readonly title: string;
  readonly description: string;
}

export const groups = [
  {
    value: 'missing-data',
    title: 'Fehlende Angaben',
    description: 'Zeiterfassung, die fehlt oder unvollständig ist: nicht beendete Arbeitstage, Tage ohne Eintrag, offene Anträge.',
  },
  {
    value: 'conflicts',
    title: 'Widersprüche',
    description: 'Einträge, die einander widersprechen oder sich überschneiden.',
  },
  {
    value: 'legal-violations',
    title: 'Mögliche Rechtsverstöße',
    description:
      'Verdacht auf Verstöße gegen das Arbeitszeitrecht. Ob ein Verstoß vorliegt, hängt auch von Tarifvertrag, Betriebsvereinbarung und Ausnahmen ab, die hier nicht bekannt sind.',
  },
  {
    value: 'anomalies',
    title: 'Auffälligkeiten',
    description: 'Ungewöhnliche Muster, die nicht falsch sein müssen, aber geprüft werden sollten.',
  },
] as const satisfies readonly FindingGroup[];

export type GroupName = (typeof groups)[number]['value'];
