import { activeChecks, defaultSettings, type ActiveCheck } from '../domain/settings.js';
import type { Ports, Tenant } from './ports.js';

/** The checks that run for an institution, with what it customized. */
export async function listChecks({ settings }: Pick<Ports, 'settings'>, tenant: Tenant): Promise<readonly ActiveCheck[]> {
  return activeChecks((await settings.find(tenant)) ?? defaultSettings);
}
