import { z } from 'zod';

/**
 * The id of something that other systems may have created, such as an institution. As in imports and in the API, it only has to have the form
 * of a UUID (docs/rules/api.md): some systems create ids without the version and variant of RFC 9562, which `z.uuid` requires.
 */
export function importedId(): z.ZodGUID {
  return z.guid();
}
