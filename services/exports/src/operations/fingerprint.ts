import { hash } from 'node:crypto';
import { commonV1 } from '@stechuhr/contracts';
import type { ExportInput } from '@stechuhr/export-runs';
import { canonicalParameters } from '@stechuhr/exporting';

/**
 * What makes two asynchronous requests one: the account, what it may see at this moment, and every parameter after defaulting
 * (docs/rules/exports.md#fingerprint). An invalid request has one too, which no valid one shares.
 */
export function fingerprintOf(caller: commonV1.Caller, { exporter, parameters }: ExportInput): string {
  const { institutionId, accountId, visibility } = caller;
  const role = visibility?.role ?? commonV1.Role.ROLE_UNSPECIFIED;
  const departments = [...(visibility?.departmentIds ?? [])].sort();
  return hash('sha256', JSON.stringify([institutionId, accountId, role, departments, canonicalParameters(exporter, parameters)]), 'hex');
}
