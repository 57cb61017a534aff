import type { ImageValue, EntryValue } from './entry-value.js';

/** An object that can be uploaded with a form: a photo, or its preview. Instants are milliseconds since the epoch. */
export interface Upload {
  readonly key: string;
  readonly institutionId: string;
  /** When its form was issued, or the last entry with it was stored or removed. */
  readonly since: number;
  /** Whether it is out of reach of its form. */
  readonly kept: boolean;
}

/** What is to be done with an upload now, and when to look again; never where that is undefined. */
export type UploadStep =
  | { readonly do: 'keep'; readonly otherwiseAt: number | undefined }
  | { readonly do: 'clear' }
  | { readonly do: 'discard' }
  | { readonly do: 'wait'; readonly until: number };

const HOUR_MS = 3_600_000;

/** How long a form can be used (spec, limits). */
export const FORM_MS = 12 * HOUR_MS;
/** A transfer that began in time may end later. */
const FORM_ENDED_MS = FORM_MS + HOUR_MS;
/** Apps send a photo and its entry together; what no entry names by then is removed. */
export const UNNAMED_MS = 7 * 24 * HOUR_MS;
/** The entry that names an upload is stored by then. */
const STORED_MS = HOUR_MS;
/** Until the photo of an entry has arrived, or the entry itself. */
const LOOK_AGAIN_MS = 5 * 60_000;

/**
 * An entry's photo is kept, so that its form cannot replace it any more, and what lies under the key of the form is cleared when the form has
 * ended. What no entry names for a week is discarded.
 */
export function nextStep({ since, kept }: Upload, isNamed: boolean, now: number): UploadStep {
  if (!isNamed && now >= since + UNNAMED_MS) return { do: 'discard' };
  if (!isNamed) return { do: 'wait', until: now < since + STORED_MS ? now + LOOK_AGAIN_MS : since + UNNAMED_MS };
  const hasEnded = now >= since + FORM_ENDED_MS;
  if (!kept) return { do: 'keep', otherwiseAt: hasEnded ? undefined : now + LOOK_AGAIN_MS };
  return hasEnded ? { do: 'clear' } : { do: 'wait', until: since + FORM_ENDED_MS };
}

/** The keys that a value names. */
export function photoKeysOf(value: EntryValue): string[] {
  return value.type === 'image' ? keysOfImage(value) : [];
}

/** The photo first: its preview stands in for it. */
export function keysOfImage({ imageKey, thumbKey }: ImageValue): string[] {
  return [imageKey, thumbKey].filter((key) => key !== null);
}
