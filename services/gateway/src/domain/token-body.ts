import { stockFields } from '@stechuhr/kernel';
import { z } from 'zod';
import { scopes } from './token.js';

/** More than there are scopes; repeated scopes are allowed. */
const MAX_SCOPES = 50;

const scopeList = z
  .array(stockFields.choice(...scopes), { error: 'Expected a list of items.' })
  .max(MAX_SCOPES, { error: `Ensure this field has no more than ${String(MAX_SCOPES)} elements.` });

/** The body of a POST request for a token. Missing fields take the values of the requesting token. */
export const tokenBody = z.object({
  name: stockFields.text(),
  scopes: scopeList.nullish(),
  strict: z.boolean({ error: 'Must be a valid boolean.' }).nullish(),
  expires_at: stockFields.text().nullish(),
});
