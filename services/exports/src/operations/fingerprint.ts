import { hash } from 'node:crypto';
import { visibilityKey, type commonV1 } from '@stechuhr/contracts';
import type { ExportInput } from '@stechuhr/export-runs';
import { canonicalParameters } from '@stechuhr/exporting';

/**
 * Identifies identical asynchronous requests: the account, everything that currently decides what it may see, and every parameter after defaults were
 * applied (docs/rules/exports.md#fingerprint). Invalid requests have fingerprints too, which differ from those of valid ones.
 */
export function fingerprintOf(caller: commonV1.Caller, { exporter, parameters }: ExportInput): string {
  const { institutionId, accountId, visibility } = caller;
  const seen = visibilityKey(visibility);
  return hash('sha256', JSON.stringify([institutionId, accountId, seen, canonicalParameters(exporter, parameters)]), 'hex');
}
