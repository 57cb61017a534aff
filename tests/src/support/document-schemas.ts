import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

interface Answer {
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
}

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Answer | { readonly $ref: string }>>;
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, Answer>> };
}

/** The response schemas of an OpenAPI document. */
export interface DocumentSchemas {
  /** Ids of all operations. */
  readonly operations: readonly string[];
  /** Returns the reasons why a response body does not match the document; unknown fields are errors too. */
  problems(operation: string, status: number, type: string | undefined, body: unknown): readonly string[];
}

export function documentSchemas(document: OpenApiDocument): DocumentSchemas {
  const ajv = formats.default(new Ajv2020({ strict: false, allErrors: true }));
  ajv.addSchema({ $id: 'openapi', ...(closed(document) as OpenApiDocument) });
  const operations = new Map(
    Object.values(document.paths).flatMap((methods) => Object.values(methods).map((operation) => [operation.operationId, operation])),
  );
  const validators = new Map<object, ValidateFunction>();
  const answerOf = (operation: string, status: number): Answer | undefined => {
    const answer = operations.get(operation)?.responses[String(status)];
    return answer !== undefined && '$ref' in answer ? document.components.responses[answer.$ref.split('/').at(-1) ?? ''] : answer;
  };
  return {
    operations: [...operations.keys()],
    problems(operation, status, type, body) {
      const answer = answerOf(operation, status);
      if (answer === undefined) return [`${String(status)} is not described`];
      if (answer.content === undefined) return type === undefined ? [] : [`a body of type ${type} is not described`];
      const described = answer.content[type ?? ''];
      if (described === undefined) return [`${String(type)} is not described`];
      if (described.schema === undefined) return [];
      const validate = validators.get(described.schema) ?? ajv.compile(absolute(closed(described.schema)));
      validators.set(described.schema, validate);
      return validate(body)
        ? []
        : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message ?? ''} ${JSON.stringify(error.params)}`);
    },
  };
}

/** Makes schemas reject unknown fields of objects with defined properties. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]));
  return typeof inner['properties'] === 'object' && 'type' in inner ? { ...inner, additionalProperties: false } : inner;
}

/** Makes references absolute, for a schema that is used outside of the document. */
function absolute(schema: unknown): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/')) as object;
}
