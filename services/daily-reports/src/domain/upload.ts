import type { ImageValue, EntryValue } from './entry-value.js';

/** An object that can be uploaded with a form: a photo, or its preview. Instants are milliseconds since the epoch. */
export interface Upload {
  readonly key: string;
  readonly institutionId: string;
  /** When its form was issued, or when the last entry that references it was stored or removed. */
  readonly since: number;
  /** Whether it was copied to a key that its form cannot write to. */
  readonly kept: boolean;
}

/** What to do with an upload now, and when to check it again; undefined means never. */
export type UploadStep =
  | { readonly do: 'keep'; readonly otherwiseAt: number | undefined }
  | { readonly do: 'clear' }
  | { readonly do: 'discard' }
  | { readonly do: 'wait'; readonly until: number };

const HOUR_MS = 3_600_000;

/** How long a form is valid (spec, limits). */
export const FORM_MS = 12 * HOUR_MS;
/** Includes an hour for a transfer that began in time. */
const FORM_ENDED_MS = FORM_MS + HOUR_MS;
/** Apps upload a photo and send its entry at about the same time. A photo that no entry references by then is removed. */
export const UNNAMED_MS = 7 * 24 * HOUR_MS;
/** By then, the entry that references an upload is stored. */
const STORED_MS = HOUR_MS;
/** How long to wait for the photo of an entry, or for the entry itself. */
const LOOK_AGAIN_MS = 5 * 60_000;

/**
 * The photo of an entry is copied to its own key, so that the form can no longer replace it; what is stored under the key of the form is removed once
 * the form has expired. A photo that no entry references for a week is discarded.
 */
export function nextStep({ since, kept }: Upload, isNamed: boolean, now: number): UploadStep {
  if (!isNamed && now >= since + UNNAMED_MS) return { do: 'discard' };
  if (!isNamed) return { do: 'wait', until: now < since + STORED_MS ? now + LOOK_AGAIN_MS : since + UNNAMED_MS };
  const hasEnded = now >= since + FORM_ENDED_MS;
  if (!kept) return { do: 'keep', otherwiseAt: hasEnded ? undefined : now + LOOK_AGAIN_MS };
  return hasEnded ? { do: 'clear' } : { do: 'wait', until: since + FORM_ENDED_MS };
}

/** The photo keys that a value references. */
export function photoKeysOf(value: EntryValue): string[] {
  return value.type === 'image' ? keysOfImage(value) : [];
}

/** The photo first, so that the preview is used only as a fallback. */
export function keysOfImage({ imageKey, thumbKey }: ImageValue): string[] {
  return [imageKey, thumbKey].filter((key) => key !== null);
}
