import { stockFields } from '@stechuhr/kernel';
import { z } from 'zod';
import { scopes } from './token.js';

/** More than there are scopes. */
const MAX_SCOPES = 50;

const scopeList = z
  .array(stockFields.choice(...scopes), { error: 'Expected a list of items.' })
  .max(MAX_SCOPES, { error: `Ensure this field has no more than ${String(MAX_SCOPES)} elements.` });

/** Body of POST on tokens. Omitted fields are taken from the requesting token. */
export const tokenBody = z.object({
  name: stockFields.text(),
  scopes: scopeList.nullish(),
  strict: z.boolean({ error: 'Must be a valid boolean.' }).nullish(),
  expires_at: stockFields.text().nullish(),
});
