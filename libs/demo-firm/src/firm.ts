import { uuidV5 } from '@stechuhr/kernel';
import { holidayCalendar, type HolidayCalendar } from '@stechuhr/worktime';
import { createRandom } from './random.js';
import { absenceTypes } from './absence-types.js';
import type { InstitutionRecord } from './records.js';
import { asciiOf } from './names.js';
import { firmFamilies } from './words/people.js';

/** The UUID namespace of all demo organizations; changing it would change all ids. */
const NAMESPACE = '7d6f3c1e-52a4-4c1b-9a50-6f0f3c1d2b7a';
const FEDERAL_STATE = 'DE-BY';

/** The demo organization of one seed. */
export interface Firm {
  readonly seed: string;
  readonly institutionId: string;
  /** The surname of the owners. */
  readonly family: string;
  readonly mailDomain: string;
  readonly holidays: HolidayCalendar;
}

export function createFirm(seed: string): Firm {
  const family = createRandom(seed, 'firm').pick(firmFamilies);
  return {
    seed,
    institutionId: uuidV5(NAMESPACE, seed),
    family,
    mailDomain: `${asciiOf(family)}-bau.example`,
    holidays: holidayCalendar(FEDERAL_STATE),
  };
}

/** Returns the id of something in the company; the same name always gives the same id, also in later runs. */
export function idOf(firm: Firm, name: string): string {
  return uuidV5(firm.institutionId, name);
}

export function institutionRecord(firm: Firm): InstitutionRecord {
  return {
    kind: 'institution',
    institution_id: firm.institutionId,
    id: firm.institutionId,
    name: `${firm.family} & Söhne Bau GmbH`,
    federal_state: FEDERAL_STATE,
    payroll_client_number: String(createRandom(firm.seed, 'payroll').int(10_000, 99_999)),
    absence_types: absenceTypes,
  };
}
