/** Whose uploads a key belongs to; both ids in lower case, as keys are case-sensitive. */
export interface UploadNamespace {
  readonly institutionId: string;
  readonly accountId: string;
}

/** Media types of photos, and the extension that each gives its keys. */
export const photoExtensions = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/heic': 'heic',
  'image/gif': 'gif',
} as const;

export type PhotoType = keyof typeof photoExtensions;

const MAX_KEY_LENGTH = 1_024;
/** Nothing that a store, a proxy or a file system could read as something else; no segment that begins with a dot. */
const SEGMENT = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

/** With what the keys of all uploads begin. */
export const UPLOADS = 'uploads/';

/** With what the keys of all uploads of an institution begin. */
export function uploadsOf(institutionId: string): string {
  return `${UPLOADS}${institutionId}/`;
}

/** `uploads/<institution>/<account>/<id>.<extension>` */
export function photoKey(namespace: UploadNamespace, id: string, type: PhotoType): string {
  return `${prefixOf(namespace)}${id}.${photoExtensions[type]}`;
}

/** The key of the preview that belongs to a photo: `.thumb` before the extension. */
export function thumbKeyOf(key: string): string {
  const dot = key.lastIndexOf('.');
  return `${key.slice(0, dot)}.thumb${key.slice(dot)}`;
}

/** The key under which the object of an entry is kept: no form is ever issued for it, and it is in no namespace. */
export function keptKeyOf(key: string): string {
  return `${UPLOADS}kept/${key}`;
}

/**
 * Whether a key is in a namespace. A key that some program could read as another one (`..`, empty segments, percent signs, backslashes) is
 * in none.
 */
export function isUploadKey(key: string, namespace: UploadNamespace): boolean {
  const prefix = prefixOf(namespace);
  if (!key.startsWith(prefix) || key.length > MAX_KEY_LENGTH) return false;
  return key
    .slice(prefix.length)
    .split('/')
    .every((segment) => SEGMENT.test(segment) && !segment.includes('..'));
}

/** What a photo's address should answer, whatever media type the upload claimed; undefined for other extensions. */
export function photoTypeOf(key: string): PhotoType | undefined {
  const extension = key.slice(key.lastIndexOf('.') + 1);
  return photoTypes.find((type) => photoExtensions[type] === extension);
}

const photoTypes = Object.keys(photoExtensions) as PhotoType[];

function prefixOf({ institutionId, accountId }: UploadNamespace): string {
  return `${uploadsOf(institutionId)}${accountId}/`;
}
