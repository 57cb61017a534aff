import { parseBody, readJson, uploadTokenBody, uploadTokenNumbers } from '@stechuhr/contracts';
import { AppError, newId } from '@stechuhr/kernel';
import { photoKey, thumbKeyOf } from '@stechuhr/objectstore';
import type { Caller, Ports, UploadForm } from './ports.js';

/** Two upload forms for one URL. */
export interface UploadToken {
  readonly photo: UploadForm;
  /** For an optional downscaled preview of the photo. */
  readonly thumb: UploadForm;
}

type Needed = Pick<Ports, 'photos' | 'uploads' | 'events'>;

/** Limit per institution of issued forms whose photos no entry references yet; each of them can store two objects of at most 2 MiB. */
export const MAX_UNNAMED_UPLOADS = 5_000;
const OBJECTS_A_FORM = 2;
const TOO_MANY = `The organization has ${String(MAX_UNNAMED_UPLOADS)} photos that no entry names. They are removed after a week.`;

/**
 * Allows the caller to upload one photo under a key of its own; the client's file name does not influence the key.
 * @param json the body
 * @throws AppError `invalid` naming the bad fields, or if too many photos of the institution wait for their entries
 */
export async function issueUploadToken({ photos, uploads, events }: Needed, caller: Caller, json: string): Promise<UploadToken> {
  const { filetype } = parseBody(uploadTokenBody, readJson(json, uploadTokenNumbers));
  const photoId = newId();
  const key = photoKey(caller, photoId, filetype);
  const keys = [key, thumbKeyOf(key)] as const;
  const limit = MAX_UNNAMED_UPLOADS * OBJECTS_A_FORM;
  if ((await uploads.countUnnamed(caller, limit)) >= limit) throw AppError.invalid({ non_field_errors: [TOO_MANY] });
  await uploads.issued(caller, keys);
  events.tokenIssued(caller, photoId);
  return { photo: photos.uploadForm(keys[0]), thumb: photos.uploadForm(keys[1]) };
}
