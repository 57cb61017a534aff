import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiOverride,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { z } from 'zod';
import type { Needed } from '../domain/token.js';
import { BASE_PATH, type Route } from '../routes/route.js';
import { codeSamples, type SampleRequest } from './code-samples.js';
import type { AnswerDoc, ContentDoc, OperationDoc } from './operation-doc.js';
import { operationDocs } from './operations.js';
import { type Failure, failures } from './failures.js';
import { INTRODUCTION, tagOf, tags } from './texts.js';

/** The document without `servers`, which depend on the request. */
export type OpenApiDocument = ReturnType<typeof createDocument>;

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Describes every operation of the routes below the base path. Throws if an operation has no description. */
export function openApiDocument(routes: readonly Route[]): OpenApiDocument {
  const paths: Record<string, ZodOpenApiPathsObject[string]> = {};
  for (const route of routes.filter(({ path, isAsset }) => path.startsWith(BASE_PATH) && isAsset !== true)) {
    for (const method of METHODS) {
      if (route.operations[method] === undefined) continue;
      const [path, doc] = described(method, route);
      paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(doc, { route, method, path }) };
    }
  }
  const document: ZodOpenApiObject = {
    openapi: '3.1.1',
    info: {
      title: 'Stechuhr',
      version: '2',
      description: INTRODUCTION,
      license: { name: 'UNLICENSED', identifier: 'LicenseRef-UNLICENSED' },
    },
    tags,
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: {
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description:
            'The word `Token`, a space and the token: `Authorization: Token stu_…`. A token can be restricted to scopes. A strict token may do only what its scopes allow.',
        },
      },
    },
  };
  return createDocument(document, { override: forClients });
}

/**
 * Adapts schemas for clients. The name of a known format is clearer than its regular expression. Responses may get additional fields in
 * later versions, which generated clients must not reject.
 */
const forClients: ZodOpenApiOverride = ({ jsonSchema, io }) => {
  if (jsonSchema.format === 'date' || jsonSchema.format === 'uuid') delete jsonSchema.pattern;
  if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
};

/**
 * Returns the path of a route in the document, and its description. Routes that exist for each exporter or each kind of record share one
 * description.
 */
function described(method: string, { path }: Route): [string, OperationDoc] {
  const own = `/${path.slice(BASE_PATH.length)}`.replaceAll(/:(\w+)/g, '{$1}');
  const shared = own.replace(/^\/exports\/[^/]+\/(?=[^/]+\/$)/, '/exports/{exporter}/').replace(/^\/schemas\/[^/]+\/$/, '/schemas/{kind}/');
  for (const candidate of [own, shared]) {
    const doc = operationDocs[`${method} ${candidate}`];
    if (doc !== undefined) return [candidate, doc];
  }
  throw new Error(`${method} ${own} is not described in services/gateway/src/openapi.`);
}

interface Place {
  readonly route: Route;
  readonly method: (typeof METHODS)[number];
  readonly path: string;
}

function operationOf(doc: OperationDoc, place: Place): ZodOpenApiOperationObject {
  const { route, method, path } = place;
  const needs = needsOf(route.operations[method] ?? {});
  return {
    operationId: doc.id,
    summary: doc.summary,
    description: doc.description + needs,
    tags: [tagOf(path)],
    ...(route.authenticated ? {} : { security: [] }),
    requestParams: { ...(doc.path && { path: doc.path }), ...(doc.query && { query: doc.query }) },
    ...(doc.body && { requestBody: { required: true, content: { 'application/json': contentOf(doc.body) } } }),
    responses: { ...answersOf(doc), ...failuresOf(doc, place) },
    'x-codeSamples': codeSamples({ method, path, authenticated: route.authenticated, ...examplesOf(doc) }),
  };
}

/**
 * Returns the values that samples send: path parameters, required parameters, and those in `IN_SAMPLES`, which make an export meaningful.
 */
function examplesOf({ path, query, body }: OperationDoc): Pick<SampleRequest, 'inPath' | 'query' | 'body'> {
  const wanted = Object.entries(query?.shape ?? {}).filter(([name, field]) => !field.safeParse(undefined).success || IN_SAMPLES.has(name));
  return {
    inPath: samplesOf(Object.entries(path?.shape ?? {})),
    query: samplesOf(wanted),
    ...(body && { body: body.example }),
  };
}

const IN_SAMPLES = new Set(['daterange', 'types', 'columns', 'response_only']);

function samplesOf(fields: readonly (readonly [string, z.core.$ZodType])[]): Record<string, unknown> {
  return Object.fromEntries(fields.map(([name, field]) => [name, z.globalRegistry.get(field)?.param?.example]));
}

function needsOf({ scope, strictScope }: Needed): string {
  if (scope !== undefined) return `\n\nA restricted token needs the scope \`${scope}\`.`;
  return strictScope ? `\n\nA strict token needs the scope \`${strictScope}\`; other tokens need no scope.` : '';
}

function answersOf({ answers }: OperationDoc): ZodOpenApiResponsesObject {
  return Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, answerOf(answer)]));
}

function answerOf({ description, content, headers }: AnswerDoc) {
  const bodies = content && Object.fromEntries(Object.entries(content).map(([type, body]) => [type, contentOf(body)]));
  return { description, ...(bodies && { content: bodies }), ...(headers && { headers }) };
}

function contentOf({ schema, example, examples }: ContentDoc) {
  const named = examples && Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]));
  return { schema, ...(named ? { examples: named } : example !== undefined && { example }) };
}

/** Returns the possible errors of an operation, in the order of checks. */
function failuresOf(doc: OperationDoc, { route, method, path }: Place): ZodOpenApiResponsesObject {
  const { scope, strictScope, jsonOnly } = route.operations[method] ?? {};
  const applying: Partial<Record<keyof typeof failures, boolean>> = {
    400: doc.problems !== undefined,
    401: route.authenticated,
    403: (scope ?? strictScope ?? undefined) !== undefined,
    404: path.includes('{'),
    406: jsonOnly === true,
    413: doc.body !== undefined,
    415: doc.body !== undefined,
    429: route.authenticated,
    500: true,
    503: route.authenticated,
  };
  const own = doc.problems && { ...failures[400], example: doc.problems };
  const chosen = Object.entries(shared).filter(([status]) => applying[Number(status) as keyof typeof failures] === true);
  return Object.fromEntries(chosen.map(([status, answer]) => [status, status === '400' && own ? failureOf(own) : answer]));
}

function failureOf({ id, description, schema, example, headers }: Failure) {
  return { ...(id && { id }), description, ...(headers && { headers }), content: { 'application/json': { schema, example } } };
}

/** The error responses that all operations reference. */
const shared = Object.fromEntries(Object.entries(failures).map(([status, failure]) => [status, failureOf(failure)]));
