import { createStechuhrClient, type StechuhrOptions } from '@stechuhr/client';
import type { OpenApiDocument } from './document-schemas.js';

/** Parameters and body of an operation. */
export interface Given {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** The result of an operation, with `error` instead of `data` for an error status. */
export interface Answered {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

/** A client of the API that calls operations by id. */
export interface OperationClient {
  readonly operations: readonly string[];
  call(operation: string, given?: Given): Promise<Answered>;
}

type Request = (method: string, path: string, options: object) => Promise<Answered>;

/** Creates a client that can call any operation of the document. It is untyped, because the operation is known only at run time. */
export function operationClient({ paths }: OpenApiDocument, options: StechuhrOptions): OperationClient {
  const request = createStechuhrClient(options).request as unknown as Request;
  const places = new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => [operationId, { method, path }] as const),
    ),
  );
  return {
    operations: [...places.keys()],
    async call(operation, { path, query, body } = {}) {
      const place = places.get(operation);
      if (place === undefined) throw new Error(`The document has no operation ${operation}.`);
      const answered = await request(place.method, place.path, { params: { path, query }, body, parseAs: 'text' });
      const isJson = answered.response.headers.get('content-type')?.startsWith('application/json') === true;
      return isJson && typeof answered.data === 'string' ? { ...answered, data: JSON.parse(answered.data) as unknown } : answered;
    },
  };
}
