import { idOf, type Firm } from './firm.js';
import type { Post } from './posts.js';
import { at } from './random.js';
import type { DepartmentRecord } from './records.js';

/** The first department of each division exists in the default organization; larger ones have more. */
const names = {
  office: ['Verwaltung', 'Kalkulation', 'Einkauf'],
  building: ['Hochbau', 'Schlüsselfertigbau', 'Ingenieurbau', 'Betoninstandsetzung'],
  civil: ['Tiefbau', 'Straßenbau', 'Kanalbau', 'Kabelleitungsbau'],
} as const;
const costCenters = { office: 1000, building: 2000, civil: 3000 } as const;

type Division = Post['department'];

/** Returns the departments for a number of repetitions of the pattern of posts. */
export function departmentRecords(firm: Firm, blocks: number): readonly DepartmentRecord[] {
  const divisions: readonly Division[] = ['office', 'building', 'civil'];
  return divisions.flatMap((division) =>
    names[division].slice(0, blocks).map((name, index) => ({
      kind: 'department',
      institution_id: firm.institutionId,
      id: departmentId(firm, division, index),
      name,
      cost_center: String(costCenters[division] + 100 * index),
    })),
  );
}

/** Returns the department of a division for a repetition of the pattern. */
export function departmentId(firm: Firm, division: Division, block: number): string {
  return idOf(firm, `department/${at(names[division], block)}`);
}
