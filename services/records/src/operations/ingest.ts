import { createLineJudge, type ImportCounts, type ImportOptions, type Ingest } from '@stechuhr/ingest';
import { kindNames, type Content, type KindName } from '../domain/kind.js';
import { kinds } from '../domain/kinds/index.js';
import { applyChanges } from './apply-changes.js';
import { BatchSize } from './batch-size.js';
import type { WriteContext } from './ports.js';

/** Validates one JSON object by itself: everything but its references. */
export const judgeLine = createLineJudge({ service: 'records', kinds });

/** How lines and live objects are validated and written. */
export function recordIngest(context: WriteContext): Ingest<Content, KindName> {
  return { judge: judgeLine, apply: (changes) => applyChanges(context, changes) };
}

/** One import: its kinds, and the event that is published per institution at the end. */
export function recordImport(context: WriteContext): ImportOptions<Content, KindName> {
  return {
    ...recordIngest(context),
    kinds: kindNames.map((name) => kinds[name]),
    batchSize: new BatchSize(),
    finished: (byInstitution) => announce(context, byInstitution),
  };
}

async function announce({ records, events, notifyOutbox }: WriteContext, byInstitution: ReadonlyMap<string, ImportCounts>): Promise<void> {
  for (const [institutionId, { accepted, rejected }] of byInstitution) {
    await records.announce(institutionId, events.importFinished(institutionId, accepted, rejected));
    notifyOutbox('institution');
  }
}
