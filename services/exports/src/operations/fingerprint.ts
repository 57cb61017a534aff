import { hash } from 'node:crypto';
import { commonV1 } from '@stechuhr/contracts';
import type { ExportInput } from '@stechuhr/export-runs';
import { canonicalParameters } from '@stechuhr/exporting';

/**
 * What makes two asynchronous requests one: the account, all that decides what it may see at this moment, and every parameter after
 * defaulting (docs/rules/exports.md#fingerprint). An invalid request has one too, which no valid one shares.
 */
export function fingerprintOf(caller: commonV1.Caller, { exporter, parameters }: ExportInput): string {
  const { institutionId, accountId, visibility } = caller;
  const seen = visibilityKey(commonV1.Visibility.fromPartial(visibility ?? {}));
  return hash('sha256', JSON.stringify([institutionId, accountId, seen, canonicalParameters(exporter, parameters)]), 'hex');
}

/** The whole message, so that a new field of it counts from its first day; sets in one order. */
function visibilityKey({ departmentIds, projects, ...others }: commonV1.Visibility): string {
  const selected = projects && { projectIds: [...projects.projectIds].sort() };
  const message = { ...others, departmentIds: [...departmentIds].sort(), projects: selected };
  return Buffer.from(commonV1.Visibility.encode(message).finish()).toString('base64');
}
