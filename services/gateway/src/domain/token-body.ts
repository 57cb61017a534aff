import { stockBoolean, stockFields, stockList } from '@stechuhr/kernel';
import { z } from 'zod';
import { scopes } from './token.js';

/** More than there are scopes; repeated scopes are allowed. */
const MAX_SCOPES = 50;

const scopeList = stockList(stockFields.choice(...scopes), { max: MAX_SCOPES });

/** The body of a POST request for a token. Missing fields take the values of the requesting token. */
export const tokenBody = z.object({
  name: stockFields.text(),
  scopes: scopeList.nullish(),
  strict: stockBoolean().nullish(),
  expires_at: stockFields.text().nullish(),
});
