/** The input of a sample: an operation with the examples of its parameters. */
export interface SampleRequest {
  readonly method: string;
  /** Relative to the base address, with placeholders such as `{id}` for the values of `inPath`. */
  readonly path: string;
  readonly authenticated: boolean;
  readonly inPath: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** A request in one language, which viewers show (vendor extension `x-codeSamples`). */
export interface CodeSample {
  readonly lang: string;
  readonly source: string;
}

const BASE = 'https://stechuhr.example/api/v2';

/** Returns a request for curl, for Python, and for TypeScript with the package `@stechuhr/client`. */
export function codeSamples(request: SampleRequest): readonly CodeSample[] {
  return [
    { lang: 'curl', source: curl(request) },
    { lang: 'Python', source: python(request) },
    { lang: 'TypeScript', source: typeScript(request) },
  ];
}

function filled({ path, inPath }: SampleRequest): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(inPath[name])));
}

function curl(request: SampleRequest): string {
  const { method, authenticated, query, body } = request;
  const parameters = Object.entries(query).map(([name, value]) => `--data-urlencode ${quoted(`${name}=${String(value)}`)}`);
  const parts = [
    ...(method === 'GET' ? [] : [`--request ${method}`]),
    ...(authenticated ? [`--header 'Authorization: Token stu_…'`] : []),
    ...(parameters.length > 0 ? ['--get', ...parameters] : []),
    ...(body === undefined ? [] : [`--json ${quoted(JSON.stringify(body))}`]),
  ];
  return [`curl ${quoted(BASE + filled(request))}`, ...parts].join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function python(request: SampleRequest): string {
  const { method, authenticated, query, body } = request;
  const parts = [
    JSON.stringify(BASE + filled(request)),
    ...(authenticated ? ['headers={"Authorization": "Token stu_…"}'] : []),
    ...(Object.keys(query).length > 0 ? [`params=${pythonQuery(query)}`] : []),
    ...(body === undefined ? [] : [`json=${pythonLiteral(body)}`]),
  ];
  return `import requests\n\nresponse = requests.${method.toLowerCase()}(\n    ${parts.join(',\n    ')},\n)\nresponse.raise_for_status()`;
}

/** Returns the parameters of a query. Booleans are texts, because Python would send them as `True` and `False`. */
function pythonQuery(query: Readonly<Record<string, unknown>>): string {
  return pythonLiteral(
    Object.fromEntries(Object.entries(query).map(([name, value]) => [name, typeof value === 'boolean' ? String(value) : value])),
  );
}

/** Converts JSON to a Python literal. */
function pythonLiteral(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, inner]) => `${JSON.stringify(name)}: ${pythonLiteral(inner)}`)
    .join(', ')}}`;
}

function typeScript(request: SampleRequest): string {
  const { method, path, authenticated, inPath, query, body } = request;
  const parameters = {
    ...(Object.keys(inPath).length > 0 && { path: inPath }),
    ...(Object.keys(query).length > 0 && { query }),
  };
  const options = [
    ...(Object.keys(parameters).length > 0 ? [`params: ${literal(parameters)}`] : []),
    ...(body === undefined ? [] : [`body: ${literal(body)}`]),
  ];
  const token = authenticated ? `, token: 'stu_…'` : '';
  return `import { createStechuhrClient } from '@stechuhr/client';

const stechuhr = createStechuhrClient({ baseUrl: '${BASE}'${token} });
const { data, error } = await stechuhr.${method}('${path}'${options.length > 0 ? `, {\n  ${options.join(',\n  ')},\n}` : ''});`;
}

function literal(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll(/"(\w+)":/g, '$1: ')
    .replaceAll(',', ', ');
}
