import { hash } from 'node:crypto';
import { visibilityKey, type commonV1 } from '@stechuhr/contracts';
import type { ExportInput } from '@stechuhr/export-runs';
import { canonicalParameters } from '@stechuhr/exporting';

/**
 * What makes two asynchronous requests one: the account, all that decides what it may see at this moment, and every parameter after
 * defaulting (docs/rules/exports.md#fingerprint). An invalid request has one too, which no valid one shares.
 */
export function fingerprintOf(caller: commonV1.Caller, { exporter, parameters }: ExportInput): string {
  const { institutionId, accountId, visibility } = caller;
  const seen = visibilityKey(visibility);
  return hash('sha256', JSON.stringify([institutionId, accountId, seen, canonicalParameters(exporter, parameters)]), 'hex');
}
