import type { OpenApiDocument } from '../../openapi/document.js';
import { DOCS_STYLE, SCRIPT, securityPolicy, STYLE } from '../assets.js';
import { escapeHtml, inline, markdown } from '../html.js';
import type { Described, Operation, Schema } from './model.js';
import { exampleHtml, operationHtml } from './operation-html.js';
import { fieldsHtml, typeHtml } from './schema-html.js';

export const DOCS_SECURITY_POLICY = securityPolicy(STYLE, DOCS_STYLE);

/** The document as a page that needs nothing else. */
export function renderDocsPage(document: OpenApiDocument): string {
  // The document is ours: every operation in it is described.
  const described = document as unknown as Described;
  const { info, tags } = described;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(info.title)} API</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
<style>${DOCS_STYLE}</style>
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header>
<h1>${escapeHtml(info.title)} API</h1>
<nav aria-label="Groups"><ul>${[...tags.map(({ name }) => name), 'Schemas', 'Errors'].map(groupLink).join('')}</ul></nav>
<div class="intro">${markdown(info.description)}</div>
<p>As a document for programs: <a href="../openapi.json">openapi.json</a></p>
</header>
<main id="content" tabindex="-1">
<div class="search" role="search" data-of="of" data-entries="entries" hidden>
<label for="search">Search</label>
<input id="search" type="search" autocomplete="off" spellcheck="false">
<p role="status"></p>
</div>
${tags.map(({ name, description }) => sectionHtml(name, `<p>${inline(description)}</p>${operationsOf(described, name)}`)).join('\n')}
${sectionHtml('Schemas', Object.entries(described.components.schemas).map(schemaHtml).join('\n'))}
${sectionHtml('Errors', errorsHtml(described))}
</main>
<footer>The key / leads to the search, Escape empties it.</footer>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

function anchorOf(group: string): string {
  return `group-${group.toLowerCase().replaceAll(' ', '-')}`;
}

function groupLink(group: string): string {
  return `<li><a href="#${anchorOf(group)}">${escapeHtml(group)}</a></li>`;
}

function sectionHtml(group: string, content: string): string {
  return `<section>\n<h2 id="${anchorOf(group)}">${escapeHtml(group)}</h2>\n${content}\n</section>`;
}

function operationsOf({ paths }: Described, tag: string): string {
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): [string, string, Operation] => [method, path, operation]),
    )
    .filter(([, , { tags }]) => tags.includes(tag))
    .map(([method, path, operation]) => operationHtml({ method, path }, operation))
    .join('\n');
}

function schemaHtml([name, schema]: [string, Schema]): string {
  const words = schema.description === undefined ? '' : `<p>${inline(schema.description)}</p>`;
  const variants = (schema.anyOf ?? []).map((variant) => fieldsHtml(variant)).join('<h4>or</h4>');
  return `<article class="schema" id="schema-${name}">
<h3><a href="#schema-${name}"><code>${name}</code></a></h3>
${words}${fieldsHtml(schema) || variants || `<p>${typeHtml(schema)}</p>`}
</article>`;
}

/** The answers that all operations share, and a 400, whose words are those of its operation. */
function errorsHtml({ paths, components }: Described): string {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const statuses = [...new Set(operations.flatMap(({ responses }) => Object.keys(responses)))].filter((status) => !status.startsWith('2'));
  return statuses
    .sort()
    .map((status) => {
      const [answer] = operations.flatMap(({ responses }) => responses[status] ?? []);
      if (answer === undefined) return '';
      const told = '$ref' in answer ? components.responses[answer.$ref.slice(answer.$ref.lastIndexOf('/') + 1)] : answer;
      const body = told?.content?.['application/json'];
      return `<article class="error" id="error-${status}">
<h3><a href="#error-${status}"><code>${status}</code></a></h3>
<p>${inline(told?.description ?? '')} ${body?.schema === undefined ? '' : typeHtml(body.schema)}</p>
${exampleHtml(body?.example)}
</article>`;
    })
    .join('\n');
}
