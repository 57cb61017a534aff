import { parseBody, readJson, uploadTokenBody, uploadTokenNumbers } from '@stechuhr/contracts';
import { AppError, createCountedLimit, newId } from '@stechuhr/kernel';
import { photoKey, thumbKeyOf } from '@stechuhr/objectstore';
import type { Caller, Ports, UploadForm } from './ports.js';
import type { UploadStore } from './upload-port.js';

/** Two upload forms with the same address. */
export interface UploadToken {
  readonly photo: UploadForm;
  /** For an optional downscaled preview of the photo. */
  readonly thumb: UploadForm;
}

type Needed = Pick<Ports, 'photos' | 'uploads' | 'unnamedUploads' | 'events'>;

/**
 * The maximum number of forms of an institution for photos to which no entry has referred yet. Each form stores two objects of at most 2
 * MiB.
 */
export const MAX_UNNAMED_UPLOADS = 5_000;
/** The objects of one photo: itself and its preview. */
const OBJECTS_A_FORM = 2;
const TOO_MANY = `The organization has ${String(MAX_UNNAMED_UPLOADS)} photos that no entry names. They are removed after a week.`;

/**
 * Issues forms with which the caller can upload one photo, only into its own namespace. The file name of the client does not influence the
 * key.
 *
 * @param json the body
 * @throws AppError `invalid` naming the invalid fields, or if too many photos of the institution have no entry
 */
export async function issueUploadToken(
  { photos, uploads, unnamedUploads, events }: Needed,
  caller: Caller,
  json: string,
): Promise<UploadToken> {
  const { filetype } = parseBody(uploadTokenBody, readJson(json, uploadTokenNumbers));
  const photoId = newId();
  const key = photoKey(caller, photoId, filetype);
  const keys = [key, thumbKeyOf(key)] as const;
  if (!(await unnamedUploads.hasRoom(caller.institutionId))) throw AppError.invalid({ non_field_errors: [TOO_MANY] });
  await uploads.issued(caller, keys);
  events.tokenIssued(caller, photoId);
  return { photo: photos.uploadForm(keys[0]), thumb: photos.uploadForm(keys[1]) };
}

/** Returns the store together with the limit of photos of an institution that no entry names. */
export function limitedUploads(uploads: UploadStore): Pick<Ports, 'uploads' | 'unnamedUploads'> {
  const count = async (institutionId: string, upTo: number) =>
    (await uploads.countUnnamed({ institutionId }, upTo * OBJECTS_A_FORM)) / OBJECTS_A_FORM;
  return { uploads, unnamedUploads: createCountedLimit({ max: MAX_UNNAMED_UPLOADS, count }) };
}
