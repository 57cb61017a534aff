import type { ImageValue, EntryValue } from './entry-value.js';

/** An object that can be uploaded with a form: a photo or its preview. Instants are milliseconds since the epoch. */
export interface Upload {
  readonly key: string;
  readonly institutionId: string;
  /** When its form was issued, or when the last entry that refers to it was stored or removed. */
  readonly since: number;
  /** Whether it was copied to its kept key, where its form cannot overwrite it. */
  readonly kept: boolean;
}

/** The next step for an upload, and when to check again; undefined means never. */
export type UploadStep =
  | { readonly do: 'keep'; readonly otherwiseAt: number | undefined }
  | { readonly do: 'clear' }
  | { readonly do: 'discard' }
  | { readonly do: 'wait'; readonly until: number };

const HOUR_MS = 3_600_000;

/** How long a form can be used (spec, Limits). */
export const FORM_MS = 12 * HOUR_MS;
/** A transfer that began in time may end after the form has expired. */
const FORM_ENDED_MS = FORM_MS + HOUR_MS;
/** After this time, an upload to which no entry refers is removed. Apps send a photo and its entry together. */
export const UNNAMED_MS = 7 * 24 * HOUR_MS;
/** By this time, the entry that refers to an upload has been stored. */
const STORED_MS = HOUR_MS;
/** The pause between checks until the photo of an entry, or the entry itself, has arrived. */
const RECHECK_MS = 5 * 60_000;

/**
 * Returns the next step for an upload. The photo of an entry is kept, so that its form cannot replace it any more, and the object under the
 * key of the form is cleared once the form has expired. An upload to which no entry refers for a week is discarded.
 */
export function nextStep({ since, kept }: Upload, isNamed: boolean, now: number): UploadStep {
  if (!isNamed && now >= since + UNNAMED_MS) return { do: 'discard' };
  if (!isNamed) return { do: 'wait', until: now < since + STORED_MS ? now + RECHECK_MS : since + UNNAMED_MS };
  const hasEnded = now >= since + FORM_ENDED_MS;
  if (!kept) return { do: 'keep', otherwiseAt: hasEnded ? undefined : now + RECHECK_MS };
  return hasEnded ? { do: 'clear' } : { do: 'wait', until: since + FORM_ENDED_MS };
}

/** Returns the keys of uploads to which a value refers. */
export function photoKeysOf(value: EntryValue): string[] {
  return value.type === 'image' ? keysOfImage(value) : [];
}

/** Returns the key of the photo, followed by that of its preview, which replaces a photo that cannot be shown. */
export function keysOfImage({ imageKey, thumbKey }: ImageValue): string[] {
  return [imageKey, thumbKey].filter((key) => key !== null);
}
