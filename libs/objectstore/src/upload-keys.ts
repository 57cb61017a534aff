/** The owner of uploads; both ids in lower case, since keys are case-sensitive. */
export interface UploadNamespace {
  readonly institutionId: string;
  readonly accountId: string;
}

/** Media types of photos, and the extension of their keys. */
export const photoExtensions = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/heic': 'heic',
  'image/gif': 'gif',
} as const;

export type PhotoType = keyof typeof photoExtensions;

const MAX_KEY_LENGTH = 1_024;
/** Contains nothing that a store, a proxy or a file system could interpret differently, and does not begin with a dot. */
const SEGMENT = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

/** Prefix of the keys of all uploads. */
export const UPLOADS = 'uploads/';

/** Prefix of the keys of an institution's uploads. */
export function uploadsOf(institutionId: string): string {
  return `${UPLOADS}${institutionId}/`;
}

/** `uploads/<institution>/<account>/<id>.<extension>` */
export function photoKey(namespace: UploadNamespace, id: string, type: PhotoType): string {
  return `${prefixOf(namespace)}${id}.${photoExtensions[type]}`;
}

/** The key of a photo's preview: `.thumb` before the extension. */
export function thumbKeyOf(key: string): string {
  const dot = key.lastIndexOf('.');
  return `${key.slice(0, dot)}.thumb${key.slice(dot)}`;
}

/** The key to which the photo of an entry is copied: no form is ever issued for it, and it belongs to no upload namespace. */
export function keptKeyOf(key: string): string {
  return `${UPLOADS}kept/${key}`;
}

/**
 * Whether a key belongs to a namespace. Keys that some program could interpret differently (`..`, empty segments, percent signs, backslashes) belong
 * to none.
 */
export function isUploadKey(key: string, namespace: UploadNamespace): boolean {
  const prefix = prefixOf(namespace);
  if (!key.startsWith(prefix) || key.length > MAX_KEY_LENGTH) return false;
  return key
    .slice(prefix.length)
    .split('/')
    .every((segment) => SEGMENT.test(segment) && !segment.includes('..'));
}

/** The media type for downloads of a photo, regardless of the type that its upload claimed; undefined for other extensions. */
export function photoTypeOf(key: string): PhotoType | undefined {
  const extension = key.slice(key.lastIndexOf('.') + 1);
  return photoTypes.find((type) => photoExtensions[type] === extension);
}

const photoTypes = Object.keys(photoExtensions) as PhotoType[];

function prefixOf({ institutionId, accountId }: UploadNamespace): string {
  return `${uploadsOf(institutionId)}${accountId}/`;
}
