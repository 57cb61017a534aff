/** The owner of uploads. Both ids are in lower case, because keys are case-sensitive. */
export interface UploadNamespace {
  readonly institutionId: string;
  readonly accountId: string;
}

/** Media types of photos, and the file extension of their keys. */
export const photoExtensions = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/heic': 'heic',
  'image/gif': 'gif',
} as const;

export type PhotoType = keyof typeof photoExtensions;

const MAX_KEY_LENGTH = 1_024;
/** Only characters that no store, proxy or file system interprets in a special way; segments do not begin with a dot. */
const SEGMENT = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

/** The prefix of the keys of all uploads. */
export const UPLOADS = 'uploads/';

/** Returns the prefix of the keys of all uploads of an institution. */
export function uploadsOf(institutionId: string): string {
  return `${UPLOADS}${institutionId}/`;
}

/** Returns `uploads/<institution>/<account>/<id>.<extension>`. */
export function photoKey(namespace: UploadNamespace, id: string, type: PhotoType): string {
  return `${prefixOf(namespace)}${id}.${photoExtensions[type]}`;
}

/** Returns the key of a photo's preview: `.thumb` is inserted before the extension. */
export function thumbKeyOf(key: string): string {
  const dot = key.lastIndexOf('.');
  return `${key.slice(0, dot)}.thumb${key.slice(dot)}`;
}

/** Returns the key under which the object of an entry is kept. It is in no namespace, and no upload form is ever issued for it. */
export function keptKeyOf(key: string): string {
  return `${UPLOADS}kept/${key}`;
}

/**
 * Whether a key is in a namespace. Keys that some program might interpret as a different key (`..`, empty segments, percent signs,
 * backslashes) are in none.
 */
export function isUploadKey(key: string, namespace: UploadNamespace): boolean {
  const prefix = prefixOf(namespace);
  if (!key.startsWith(prefix) || key.length > MAX_KEY_LENGTH) return false;
  return key
    .slice(prefix.length)
    .split('/')
    .every((segment) => SEGMENT.test(segment) && !segment.includes('..'));
}

/**
 * Returns the media type with which a photo is served, by its extension, whatever type the upload claimed; undefined for other extensions.
 */
export function photoTypeOf(key: string): PhotoType | undefined {
  const extension = key.slice(key.lastIndexOf('.') + 1);
  return photoTypes.find((type) => photoExtensions[type] === extension);
}

const photoTypes = Object.keys(photoExtensions) as PhotoType[];

function prefixOf({ institutionId, accountId }: UploadNamespace): string {
  return `${uploadsOf(institutionId)}${accountId}/`;
}
