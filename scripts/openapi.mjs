// Writes docs/openapi.json from the table of routes; with --check it only checks whether the file is up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { openApiDocument } from '../services/gateway/dist/openapi/document.js';
import { routesOf } from '../services/gateway/dist/service.js';

const FILE = 'docs/openapi.json';

// The routes are only described, not called, so they need no clients of services.
const { openapi, info, ...rest } = openApiDocument(routesOf({ clients: {} }, () => true));
const document = { openapi, info, servers: [{ url: '/api/v2' }], ...rest };
const text = await format(JSON.stringify(document), { ...(await resolveConfig(FILE)), parser: 'json' });
if (!process.argv.includes('--check')) writeFileSync(FILE, text);
else if (readFileSync(FILE, 'utf8') !== text) {
  console.error(`${FILE} does not match the API: npm run docs`);
  process.exitCode = 1;
}
