import { randomUUID } from 'node:crypto';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ndjsonOf } from '@stechuhr/demo-firm';
import type { Case, PrepareOptions, Prepared } from '../../harness/types.js';
import { newFirm } from '../../platform/firms.js';
import { preparedOn } from '../../platform/prepared.js';
import { prepareYear } from '../../platform/year-case.js';
import { withDatabase } from '../../platform/stored-months.js';

const variant = (name: string) => ({ module: new URL(`./variants/${name}.js`, import.meta.url) });

/** The input of a variant. */
export interface ImportValues {
  readonly home: string;
  readonly natsUrl: string;
  readonly mongodbUrl: string;
  /** Lines of NDJSON, references first. */
  readonly file: string;
  readonly institutionId: string;
}

async function prepare({ size, quick }: PrepareOptions): Promise<Prepared> {
  const { platform, own } = await prepareYear(size, quick);
  const { home, mongodbUrl, surroundings } = platform;
  const folder = mkdtempSync(join(tmpdir(), 'stechuhr-bench-import-'));
  const file = join(folder, 'records.ndjson');
  const common = preparedOn({
    platform,
    quick,
    services: ['records'],
    values: { home, mongodbUrl, natsUrl: surroundings.servers.NATS_URL, file, stored: own.stored },
    runs: {},
    notes: [
      `${size * 365} workdays of ${size} employees; the floor writes their months in batches of 100, with the same indexes as records`,
    ],
  });
  let stored: string | undefined;
  const removeStored = async (): Promise<void> => {
    if (stored !== undefined) await remove(mongodbUrl, stored);
    stored = undefined;
  };
  return {
    ...common,
    async before(name) {
      const values = await common.before?.(name);
      if (name.startsWith('floor')) return { ...values };
      await removeStored();
      const { institutionId, records } = newFirm(size, randomUUID());
      await pipeline(Readable.from(ndjsonOf(records), { objectMode: false }), createWriteStream(file));
      stored = institutionId;
      return { ...values, institutionId };
    },
    async close() {
      await removeStored();
      await common.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Deletes the firm directly in the database. No events are published, so the next run does not have to wait for them. */
function remove(mongodbUrl: string, institutionId: string): Promise<void> {
  return withDatabase(mongodbUrl, 'records', async ({ connection }) => {
    for (const { collectionName } of (await connection.db?.collections()) ?? []) {
      const key = collectionName === 'institutions' ? '_id' : 'institution_id';
      await connection.collection(collectionName).deleteMany({ [key]: institutionId });
    }
  });
}

export const importCase: Case = {
  name: 'import',
  goals: ['P2'],
  title: 'importing a year of a firm with `stechuhr import`, and as live objects through NATS',
  sizes: { quick: 3, full: 1000 },
  variants: { command: variant('command'), live: variant('live'), floor: variant('floor'), 'floor-events': variant('floor-events') },
  ratios: [
    { goal: 'P2', measure: 'wallMs', of: 'command', to: 'floor', target: 2, stretch: 1.5 },
    { goal: 'P2', measure: 'wallMs', of: 'live', to: 'floor', target: 3, stretch: 2 },
  ],
  prepare,
};
