import {
  applyToOwnedKinds,
  createLineJudge,
  type ImportCounts,
  type ImportOptions,
  type ImportWarning,
  type Named,
} from '@stechuhr/ingest';
import { sharedAccountingNumbers } from '../domain/accounting-numbers.js';
import { kindNames, type Content, type KindName } from '../domain/kind.js';
import { kinds } from '../domain/kinds/index.js';
import { BatchSize } from './batch-size.js';
import { storedReferences } from './find-missing.js';
import type { Deleted } from './cascade-steps.js';
import { withPlanned } from './mark-removed.js';
import { ownedDocuments } from './owned-documents.js';
import { ownedMonths } from './owned-months.js';
import type { WriteContext } from './ports.js';
import { repeatCascades } from './remove-records.js';

/** Validates one JSON object except its references. */
export const judgeLine = createLineJudge({ service: 'records', kinds });

/** Returns how lines and live objects are validated and written. At the end of an import, one event is published for each institution. */
export function recordIngest(context: WriteContext): ImportOptions<Content, KindName> {
  const { records } = context;
  const markers = withPlanned(context);
  const owners = kindNames.flatMap((name) => {
    if (name === 'workmonth') return ownedMonths(context);
    // Workdays are handled by `ownedMonths`.
    return name === 'workday' ? [] : ownedDocuments(context, name);
  });
  const forget = (deleted: readonly Named[]) => repeatCascades(context, deleted.flatMap(recordsOf));
  return {
    judge: judgeLine,
    apply: applyToOwnedKinds({ kinds: owners, references: storedReferences(records), markers, forget }),
    kinds: kindNames.map((name) => kinds[name]),
    batchSize: new BatchSize(),
    finished: (byInstitution) => finish(context, byInstitution),
  };
}

function recordsOf({ institutionId, references }: Named): Deleted[] {
  return references.flatMap(({ kind, id }) => (kind === 'absence_type' ? [] : [{ kind, institutionId, id }]));
}

async function finish(context: WriteContext, byInstitution: ReadonlyMap<string, ImportCounts>): Promise<readonly ImportWarning[]> {
  await announce(context, byInstitution);
  return warningsAbout(context.records, byInstitution);
}

/** What the warnings at the end of an import are about. */
export type Imported = Pick<WriteContext['records'], 'payrollStaff' | 'absenceTypes' | 'absencesOfOtherTypes'>;

/**
 * Returns warnings about shared accounting numbers, for institutions whose employees the import changed, and about absences of types that an
 * institution does not have any more, for those that it changed themselves.
 */
export async function warningsAbout(
  records: Imported,
  byInstitution: ReadonlyMap<string, ImportCounts>,
): Promise<readonly ImportWarning[]> {
  const messages: string[] = [];
  for (const [institutionId, { accepted }] of byInstitution) {
    if (accepted['employee'] !== undefined) messages.push(...sharedAccountingNumbers(await records.payrollStaff(institutionId)));
    if (accepted['institution'] !== undefined) messages.push(...(await absencesWithoutType(records, institutionId)));
  }
  return messages.map((message) => ({ message }));
}

async function absencesWithoutType(records: Imported, institutionId: string): Promise<readonly string[]> {
  const types = (await records.absenceTypes([institutionId])).get(institutionId);
  if (types === undefined) return [];
  const counts = new Map<string, number>();
  for await (const { missingType } of records.absencesOfOtherTypes(institutionId, types)) {
    counts.set(missingType, (counts.get(missingType) ?? 0) + 1);
  }
  return Array.from(
    counts,
    ([type, count]) =>
      `Absences of the type ${type}: ${String(count)}. The institution does not have this type any more, so they are not credited, and payroll files leave them out.`,
  ).sort();
}

async function announce({ records, events, notifyOutbox }: WriteContext, byInstitution: ReadonlyMap<string, ImportCounts>): Promise<void> {
  for (const [institutionId, { accepted, rejected }] of byInstitution) {
    const event = events.importFinished(institutionId, accepted, rejected);
    await records.announce(institutionId, event);
    notifyOutbox('institution', [{ events: [event] }]);
  }
}
