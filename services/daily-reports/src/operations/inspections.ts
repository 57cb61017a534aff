import { RemainsCounter, slicesByInstitution, type Inspection, type InspectionTerms, type Remains } from '@stechuhr/kernel';
import type { Ports } from './ports.js';

type Needed = Pick<Ports, 'uploads' | 'photos' | 'entries' | 'reports' | 'clock'>;

const PHOTOS = 'uploads/';
const PHOTOS_AT_ONCE = 500;
const REPORTS_AT_MOST = 1_000;

/** Returns the inspections of daily reports and their photos. */
export function reportInspections(ports: Needed): readonly Inspection[] {
  return [
    { check: 'interrupted-writes', place: 'descriptors', inspect: (terms) => interruptedWrites(ports, terms) },
    { check: 'lost-photos', place: PHOTOS, inspect: (terms) => lostPhotos(ports, terms) },
    { check: 'orphaned-photos', place: PHOTOS, inspect: (terms) => orphanedPhotos(ports, terms) },
  ];
}

/** Finds reports whose writer was interrupted and that no process completes. */
async function interruptedWrites({ reports, clock }: Needed, { olderThanMs }: InspectionTerms): Promise<Remains> {
  const found = new RemainsCounter();
  const before = Math.floor((clock.now() - olderThanMs) / 1_000);
  for (const { tagId, date } of await reports.leftBehind(before, { after: '', limit: REPORTS_AT_MOST })) found.add(`${tagId}|${date}`);
  return found;
}

/** Finds kept photos of entries that are missing in the store. Both lists are sorted by key. */
async function lostPhotos({ uploads, photos }: Needed, { repair, signal }: InspectionTerms): Promise<Remains> {
  const found = new RemainsCounter();
  const present = photos.list('kept')[Symbol.asyncIterator]();
  try {
    let next = await present.next();
    for await (const { key, institutionId } of uploads.allKept()) {
      signal.throwIfAborted();
      while (!next.done && next.value.key < key) next = await present.next();
      if (!next.done && next.value.key === key) continue;
      // The photo may have been kept or removed since the lists began.
      if (!(await uploads.keptOf({ institutionId }, [key])).has(key) || (await photos.isKept(key))) continue;
      found.add(key);
      // In an older copy of the store it may still exist under the key of its form.
      if (repair && (await photos.keep(key))) found.repaired += 1;
    }
  } finally {
    await present.return?.();
  }
  return found;
}

/**
 * Finds photos that are not recorded and to which no entry refers. After a restore, their entries may be imported again. A repair records
 * them like photos whose entry was just removed, so they are removed after a week unless an entry refers to them by then.
 */
async function orphanedPhotos(ports: Needed, { olderThanMs, repair, signal }: InspectionTerms): Promise<Remains> {
  const { uploads, photos, entries, clock } = ports;
  const found = new RemainsCounter();
  const until = clock.now() - olderThanMs;
  for (const which of ['kept', 'uploaded'] as const) {
    for await (const { institutionId, items } of slicesByInstitution(photos.list(which), PHOTOS_AT_ONCE)) {
      const tenant = { institutionId };
      const keys = items.map(({ key }) => key);
      const known = await uploads.known(tenant, keys);
      const orphaned: string[] = [];
      for (const { key, modifiedAt } of items) {
        signal.throwIfAborted();
        if (known.has(key) || modifiedAt > until || (await entries.namesPhoto(tenant, key))) continue;
        orphaned.push(key);
        found.add(key);
      }
      if (!repair || orphaned.length === 0) continue;
      await uploads.named(tenant, orphaned);
      found.repaired += orphaned.length;
    }
  }
  return found;
}
