import { hash } from 'node:crypto';
import { visibilityKey, type commonV1 } from '@stechuhr/contracts';
import type { ExportInput } from '@stechuhr/export-runs';
import { canonicalParameters } from '@stechuhr/exporting';

/**
 * Returns the fingerprint by which two asynchronous requests are identical: the account, everything that determines its visibility at this
 * moment, and every parameter after defaulting (docs/rules/exports.md#fingerprint). An invalid request has a fingerprint, too, but shares
 * it with no valid one.
 */
export function fingerprintOf(caller: commonV1.Caller, { exporter, parameters }: ExportInput): string {
  const { institutionId, accountId, visibility } = caller;
  const seen = visibilityKey(visibility);
  return hash('sha256', JSON.stringify([institutionId, accountId, seen, canonicalParameters(exporter, parameters)]), 'hex');
}
