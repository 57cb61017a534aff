import { recordSchemas } from '@stechuhr/contracts';
import { z } from 'zod';
import { absenceRuleDocs } from './absence-rules.js';
import { dailyReportDocs } from './daily-reports.js';
import { exportDocs } from './exports.js';
import { html, json, type OperationDocs } from './operation-doc.js';
import { recordDocs } from './records.js';
import { reviewDocs } from './reviews.js';
import { taskDocs } from './tasks.js';
import { tokenDocs } from './tokens.js';
import { url } from './values.js';
import { webhookDocs } from './webhooks.js';

const groups = z.record(z.string(), url('Address of the group.')).meta({ id: 'Groups', description: 'Addresses by group.' });

const anyObject = (id: string, description: string): z.ZodType => z.record(z.string(), z.unknown()).meta({ id, description });
const openApi = anyObject('OpenApi', 'An OpenAPI document.');
const recordSchema = anyObject('RecordSchema', 'A JSON Schema.');
const recordSchemaAddresses = z
  .record(z.string(), url('Address of the schema.'))
  .meta({ id: 'RecordSchemas', description: 'Addresses by kind.' });

/** The operations about the API itself. */
const aboutDocs: OperationDocs = {
  'GET /': {
    id: 'listGroups',
    summary: 'List the groups of the API',
    description: 'The address of each group of the API that is available.',
    answers: {
      200: {
        description: 'Addresses.',
        content: json(groups, { 'reviews/suppressions': 'https://api.example.com/api/v2/reviews/suppressions/' }),
      },
    },
  },
  'GET /openapi.json': {
    id: 'getOpenApiDocument',
    summary: 'Get this document',
    description: 'The API as an OpenAPI 3.1 document. The path has no trailing slash. No token is needed.',
    answers: {
      200: {
        description: 'The document.',
        content: json(openApi, { openapi: '3.1.1', info: { title: 'Stechuhr', version: '2' }, paths: {} }),
      },
    },
  },
  'GET /schemas/': {
    id: 'listRecordSchemas',
    summary: 'List the kinds of records',
    description:
      'The address of the JSON Schema of each kind of record. Imports and live objects consist of these records. No token is needed.',
    answers: {
      200: {
        description: 'Addresses.',
        content: json(recordSchemaAddresses, {
          employee: 'https://api.example.com/api/v2/schemas/employee/',
        }),
      },
    },
  },
  'GET /schemas/{kind}/': {
    id: 'getRecordSchema',
    summary: 'Get the JSON Schema of a kind of record',
    description: 'The JSON Schema (2020-12) of a kind of record, with an example. No token is needed.',
    path: z.object({
      kind: z.enum([...recordSchemas().keys()]).meta({ description: 'Kind of record.', param: { example: 'employee' } }),
    }),
    answers: {
      200: {
        description: 'The schema.',
        content: json(recordSchema, {
          title: 'employee',
          type: 'object',
          required: ['kind', 'institution_id', 'id'],
        }),
      },
    },
  },
  'GET /docs/': {
    id: 'getDocsPage',
    summary: 'Read this document as a page',
    description: 'A page that shows this document and works offline. No token is needed.',
    answers: { 200: html },
  },
};

/** Every operation of the API. */
export const operationDocs: OperationDocs = {
  ...exportDocs,
  ...taskDocs,
  ...absenceRuleDocs,
  ...reviewDocs,
  ...dailyReportDocs,
  ...recordDocs,
  ...tokenDocs,
  ...webhookDocs,
  ...aboutDocs,
};
