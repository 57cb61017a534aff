import { escapeHtml, inline, markdown } from '../html.js';
import type { Answer, Content, Operation, Reference } from './model.js';
import { fieldsHtml, rowHtml, typeHtml } from './schema-html.js';

interface Place {
  readonly method: string;
  readonly path: string;
}

/** One operation with everything that it takes and answers. */
export function operationHtml({ method, path }: Place, operation: Operation): string {
  const { operationId, summary, description, parameters = [], requestBody, security } = operation;
  return `<article class="operation" id="${operationId}">
<h3><a href="#${operationId}"><span class="method">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code></a></h3>
<p class="title">${escapeHtml(summary)}</p>
${markdown(description)}
${security?.length === 0 ? '<p>No token is needed.</p>' : ''}
${parameters.length === 0 ? '' : `<h4>Parameters</h4><dl>${parameters.map((one) => rowHtml({ ...one, required: one.required === true })).join('')}</dl>`}
${requestBody === undefined ? '' : `<h4>Body</h4>${contentsHtml(requestBody.content)}`}
${answersHtml(operation)}
</article>`;
}

function answersHtml({ responses }: Operation): string {
  const entries = Object.entries(responses);
  const good = entries.flatMap(([status, answer]) => (isShared(answer) || !status.startsWith('2') ? [] : [goodHtml(status, answer)]));
  const bad = entries.filter(([status]) => !status.startsWith('2')).map(([status]) => `<a href="#error-${status}">${status}</a>`);
  return `${good.join('\n')}\n<p class="errors">Errors: ${bad.join(' ')}</p>`;
}

function isShared(answer: Answer | Reference): answer is Reference {
  return '$ref' in answer;
}

function goodHtml(status: string, { description, content = {} }: Answer): string {
  return `<h4>${status} <span>${inline(description)}</span></h4>${contentsHtml(content)}`;
}

function contentsHtml(content: Readonly<Record<string, Content>>): string {
  return Object.entries(content)
    .map(
      ([type, body]) =>
        `<p>${escapeHtml(type)}${body.schema === undefined ? '' : `: ${bodyHtml(body.schema)}`}</p>${fields(body)}${examplesHtml(body)}`,
    )
    .join('\n');
}

function bodyHtml(schema: NonNullable<Content['schema']>): string {
  const { results } = schema.properties ?? {};
  return results?.items === undefined ? typeHtml(schema) : `page of ${typeHtml(results.items)}`;
}

/** Pages are alike; what they hold has a name. */
function fields({ schema }: Content): string {
  return schema === undefined || schema.properties?.['results'] !== undefined ? '' : fieldsHtml(schema);
}

function examplesHtml({ example, examples = {} }: Content): string {
  const values = example === undefined ? Object.values(examples).map(({ value }) => value) : [example];
  return values.map(exampleHtml).join('');
}

/** An example as it is sent; what is no text for people is left out. */
export function exampleHtml(value: unknown): string {
  if (value === '(binary)') return '';
  return `<pre><code>${escapeHtml(typeof value === 'string' ? value : JSON.stringify(value, null, 2))}</code></pre>`;
}
