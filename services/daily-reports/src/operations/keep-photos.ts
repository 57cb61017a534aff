import { setTimeout as delay } from 'node:timers/promises';
import { createLimiter, type Logger } from '@stechuhr/kernel';
import type { EntryValue } from '../domain/entry-value.js';
import { nextStep, photoKeysOf, type Upload } from '../domain/upload.js';
import type { Ports } from './ports.js';
import type { Tenant } from './tenant.js';

type KeepPorts = Pick<Ports, 'uploads' | 'photos'>;

/** The number of concurrent copies of one import or sweep. */
const PARALLEL = 8;
/** How long an entry waits for the store. Afterwards, the sweep keeps its photo. */
const KEEP_MS = 5_000;
/** After a crash, the remaining objects are discarded after this time. */
const DISCARD_MS = 5 * 60_000;
/** The number of uploads that one sweep processes; the next sweep processes the others. */
const UPLOADS_A_SWEEP = 500;

/**
 * Copies the photos of entries that are about to be stored to keys that have no upload forms, so that they cannot be replaced afterwards
 * (docs/rules/daily-reports.md#photo-uploads).
 */
export async function keepPhotos(ports: KeepPorts, tenant: Tenant, values: readonly EntryValue[]): Promise<void> {
  const keys = [...new Set(values.flatMap(photoKeysOf))];
  if (keys.length === 0) return;
  const kept = await ports.uploads.keptOf(tenant, keys);
  const open = keys.filter((key) => !kept.has(key));
  await ports.uploads.named(tenant, keys);
  const limit = createLimiter(PARALLEL);
  const copies = Promise.allSettled(open.map((key) => limit(() => keep(ports, tenant, key))));
  const over = new AbortController();
  await Promise.race([copies, delay(KEEP_MS, undefined, { signal: over.signal, ref: false })]);
  over.abort();
}

/** Returns from which keys the photos of values are read. */
export async function photoPlaces({ uploads, photos }: KeepPorts, tenant: Tenant, values: readonly EntryValue[]): Promise<PhotoPlaces> {
  const keys = [...new Set(values.flatMap(photoKeysOf))];
  const kept = keys.length === 0 ? new Set<string>() : await uploads.keptOf(tenant, keys);
  return (key) => (kept.has(key) ? photos.keptKey(key) : key);
}

/** Returns the key of the stored object for the key in an entry. */
export type PhotoPlaces = (key: string) => string;

interface SweepTerms {
  readonly logger: Pick<Logger, 'warn'>;
  readonly signal: AbortSignal;
}

/** Keeps photos that arrived after their entries, and removes uploads to which no entry refers; see `nextStep`. */
export async function sweepUploads(ports: KeepPorts & Pick<Ports, 'entries' | 'clock'>, { logger, signal }: SweepTerms): Promise<void> {
  const limit = createLimiter(PARALLEL);
  const due = await ports.uploads.claimDue(UPLOADS_A_SWEEP);
  const outcomes = await Promise.allSettled(due.map((upload) => limit(() => settle(ports, upload), signal)));
  const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
  if (failed.length > 0 && !signal.aborted) logger.warn({ err: failed[0]?.reason, uploads: failed.length }, 'uploads could not be settled');
}

async function settle({ uploads, photos, entries, clock }: Parameters<typeof sweepUploads>[0], upload: Upload): Promise<unknown> {
  const isNamed = await entries.namesPhoto(upload, upload.key);
  const step = nextStep(upload, isNamed, clock.now());
  switch (step.do) {
    case 'wait':
      return uploads.reschedule(upload, step.until);
    case 'keep':
      if (await keep({ uploads, photos }, upload, upload.key)) return uploads.reschedule(upload, clock.now());
      return uploads.reschedule(upload, step.otherwiseAt);
    case 'clear':
      await photos.clear(upload.key);
      return uploads.reschedule(upload, undefined);
    case 'discard':
      // An entry may have referred to it since this was checked.
      if (!(await uploads.reschedule(upload, clock.now() + DISCARD_MS))) return;
      if (!upload.kept && (await photos.isKept(upload.key))) return rediscover({ uploads }, upload);
      await photos.discard(upload.key);
      return uploads.remove(upload);
  }
}

/**
 * Records a photo that was kept for an entry although this database knows of no entry: it is older than the store, as after a restore. The entry may be
 * imported again, so the photo is treated like one whose entry was just removed.
 */
async function rediscover({ uploads }: Pick<KeepPorts, 'uploads'>, upload: Upload): Promise<void> {
  await uploads.named(upload, [upload.key]);
  await uploads.setKept(upload, upload.key);
}

async function keep({ uploads, photos }: KeepPorts, tenant: Tenant, key: string): Promise<boolean> {
  const isKept = await photos.keep(key);
  if (isKept) await uploads.setKept(tenant, key);
  return isKept;
}
