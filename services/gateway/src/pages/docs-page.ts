import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { ReferencePageName } from '@stechuhr/exporting';
import { BAR_STYLE } from './assets.js';
import { DOCS_SCRIPT, DOCS_STYLE } from './docs-assets.js';

/** The page loads only files from its own server. Requests that are tried out go to the same server. */
export const DOCS_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join(';');

/** The pages of one exporter link to those of the others. */
const PAGES: readonly (readonly [ReferencePageName, string])[] = [
  ['columns', 'Columns'],
  ['types', 'Row types'],
  ['modifiers', 'Modifiers'],
  ['filters', 'Filters'],
];

/** The page of the API: Swagger UI with the OpenAPI document of the same server. */
export const DOCS_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Stechuhr API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="swagger-ui.css">
<link rel="stylesheet" href="docs.css">
</head>
<body>
<noscript>This page needs JavaScript. The same content as an OpenAPI document: <a href="../openapi.json">openapi.json</a></noscript>
<div class="bar"><a href="./">Stechuhr API</a>${PAGES.map(([name, title]) => `<a href="../exports/generic/${name}/">${title}</a>`).join('')}</div>
<main id="docs"></main>
<script src="swagger-ui-bundle.js"></script>
<script src="docs.js"></script>
</body>
</html>
`;

/** A file that the page loads: a text of this package, or a file of that name in a folder. */
export type DocsAsset = { readonly name: string; readonly type: string } & ({ readonly content: string } | { readonly folder: string });

/** Returns the files that the page loads. The viewer comes from its npm package, so that the page works offline. */
export function docsAssets(): readonly DocsAsset[] {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  return [
    { name: 'swagger-ui.css', type: 'css', folder },
    { name: 'swagger-ui-bundle.js', type: 'js', folder },
    { name: 'docs.css', type: 'css', content: BAR_STYLE + DOCS_STYLE },
    { name: 'docs.js', type: 'js', content: DOCS_SCRIPT },
  ];
}
