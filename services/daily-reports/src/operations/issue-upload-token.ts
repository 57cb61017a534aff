import { parseBody, readJson, uploadTokenBody } from '@stechuhr/contracts';
import { newId } from '@stechuhr/kernel';
import { photoKey, thumbKeyOf } from '@stechuhr/objectstore';
import type { Caller, PhotoStore, UploadForm } from './ports.js';

/** Two forms for one address. */
export interface UploadToken {
  readonly photo: UploadForm;
  /** An optional downscaled preview of the photo. */
  readonly thumb: UploadForm;
}

interface Needed {
  readonly photos: PhotoStore;
  readonly events: { tokenIssued(caller: Caller, photoId: string): void };
}

/**
 * Lets the caller upload one photo into its own namespace, and only there: the file name of the client does not influence the key.
 *
 * @param json the body
 * @throws AppError `invalid` naming the bad fields
 */
export function issueUploadToken({ photos, events }: Needed, caller: Caller, json: string): UploadToken {
  const { filetype } = parseBody(uploadTokenBody, readJson(json));
  const photoId = newId();
  const key = photoKey(caller, photoId, filetype);
  events.tokenIssued(caller, photoId);
  return { photo: photos.uploadForm(key), thumb: photos.uploadForm(thumbKeyOf(key)) };
}
