import { AppError } from '@stechuhr/kernel';
import type { SettingsChange } from '../domain/settings-line.js';
import type { OrganizationRecords, Ports } from './ports.js';

export interface SettingsContext extends Pick<Ports, 'settings'> {
  /** The records of an institution that a line names. */
  recordsOf(institutionId: string): Pick<OrganizationRecords, 'readOrganization'>;
}

/** Why a change has to wait, or cannot be: it names an institution that is not there. A deletion names nothing. */
export async function missingReference(context: SettingsContext, { institutionId, settings }: SettingsChange): Promise<string | undefined> {
  if (settings === undefined) return undefined;
  try {
    await context.recordsOf(institutionId).readOrganization();
    return undefined;
  } catch (caught) {
    if (caught instanceof AppError && caught.code === 'not_found') return `institution_id names no institution: ${institutionId}.`;
    throw caught;
  }
}

/** Replaces the settings of an institution; the next run goes by them. */
export function writeSettings(
  { settings: store }: SettingsContext,
  { institutionId, settings }: SettingsChange,
  sequence?: number,
): Promise<void> {
  return store.write({ institutionId }, settings, sequence);
}
