import type { EpochDay } from '@stechuhr/worktime';
import { idOf, type Firm } from './firm.js';
import type { Person } from './people.js';
import { at, createRandom } from './random.js';
import type { ProjectRecord } from './records.js';
import { firstProjects, projectColors, projectParts, type ProjectWords } from './words/projects.js';

/** Indexes of the first six projects: civil engineering, building construction, and the finished one. */
const FIRST_CIVIL = [2, 4];
const FIRST_BUILDING = [0, 1, 3];
const ARCHIVED = 5;
const WITHOUT_REPORTS = 3;
/** For each further 25 employees there are two sites of either trade. */
const FURTHER = 4;

/** Returns the projects for a number of repetitions of the pattern of posts. */
export function projectRecords(firm: Firm, blocks: number): readonly ProjectRecord[] {
  return Array.from({ length: firstProjects.length + (blocks - 1) * FURTHER }, (_, index) => projectRecord(firm, index));
}

function projectRecord(firm: Firm, index: number): ProjectRecord {
  const words = firstProjects[index] ?? composed(firm, index);
  const number = 101 + index;
  return {
    kind: 'project',
    institution_id: firm.institutionId,
    id: projectId(firm, index),
    name: words.name,
    code: `${isCivil(index) ? 'TB' : 'HB'}-${number}`,
    color: at(projectColors, index),
    address: words.address,
    cost_center: `${isCivil(index) ? 3 : 2}${String(number).padStart(4, '0')}`,
    client: words.client,
    daily_reports_enabled: index !== ARCHIVED && index !== WITHOUT_REPORTS,
    archived: index === ARCHIVED,
  };
}

function composed(firm: Firm, index: number): ProjectWords {
  const random = createRandom(firm.seed, 'project', index);
  const { works, objects, streets, towns, clients } = projectParts;
  const town = random.pick(towns);
  return {
    name: `${random.pick(works)} ${random.pick(objects)} ${town.slice(6)}`,
    address: `${random.pick(streets)} ${random.int(1, 120)}, ${town}`,
    client: random.pick(clients),
  };
}

function isCivil(index: number): boolean {
  return index < firstProjects.length ? FIRST_CIVIL.includes(index) : index % 2 === 1;
}

/** Returns the sites of the first repetition of the pattern that have daily reports, by trade. */
export function reportedSites(firm: Firm): Readonly<Record<'building' | 'civil', readonly string[]>> {
  const reported = (indexes: readonly number[]): readonly string[] =>
    indexes.filter((index) => index !== WITHOUT_REPORTS).map((index) => projectId(firm, index));
  return { building: reported(FIRST_BUILDING), civil: reported(FIRST_CIVIL) };
}

function projectId(firm: Firm, index: number): string {
  return idOf(firm, `project/${index}`);
}

/** The sites of a repetition of the pattern. */
export interface Sites {
  readonly building: readonly string[];
  readonly civil: readonly string[];
  /** A finished project, on which defects are occasionally repaired. */
  readonly archived: string;
}

export function sitesOf(firm: Firm, block: number): Sites {
  const first = firstProjects.length + (block - 1) * FURTHER;
  const building = block === 0 ? FIRST_BUILDING : [first, first + 2];
  const civil = block === 0 ? FIRST_CIVIL : [first + 1, first + 3];
  const id = (index: number): string => projectId(firm, index);
  return { building: building.map(id), civil: civil.map(id), archived: id(ARCHIVED) };
}

/** Returns the project of a period of work; null in the office. A crew stays on a site for two weeks. */
export function projectFor(firm: Firm, person: Person, sites: Sites, { day, piece }: { day: EpochDay; piece: number }): string | null {
  const { trade } = person.post;
  if (trade === 'building' || trade === 'civil') {
    const random = createRandom(firm.seed, 'elsewhere', person.key, day, piece);
    if (random.chance(0.006)) return sites.archived;
    const site = createRandom(firm.seed, 'site', person.block, trade, Math.floor((day + 3) / 14)).int(0, 99);
    return at(sites[trade], site + (piece > 0 && random.chance(0.15) ? 1 : 0));
  }
  const random = createRandom(firm.seed, 'visit', person.key, day, piece);
  if (!random.chance(trade === 'management' ? 0.85 : 0.2)) return null;
  return random.pick(person.post.department === 'civil' ? sites.civil : sites.building);
}
