/** The 16 federal states by ISO 3166-2. */
export const FEDERAL_STATES = [
  'DE-BB',
  'DE-BE',
  'DE-BW',
  'DE-BY',
  'DE-HB',
  'DE-HE',
  'DE-HH',
  'DE-MV',
  'DE-NI',
  'DE-NW',
  'DE-RP',
  'DE-SH',
  'DE-SL',
  'DE-SN',
  'DE-ST',
  'DE-TH',
] as const;

/** A federal state by ISO 3166-2, for example `DE-BY`. */
export type FederalState = (typeof FEDERAL_STATES)[number];

/** Whether a text is the code of one of the 16 federal states (case-sensitive). */
export function isFederalState(value: string): value is FederalState {
  return FEDERAL_STATES.some((state) => state === value);
}
