import { z } from 'zod';

/** A successful response of an operation. */
export interface AnswerDoc {
  readonly description: string;
  /** By media type; undefined for an empty body. */
  readonly content?: Readonly<Record<string, ContentDoc>>;
  readonly headers?: z.ZodObject;
}

export interface ContentDoc {
  readonly schema: z.ZodType;
  readonly example?: unknown;
  /** Several named examples instead of one. */
  readonly examples?: Readonly<Record<string, unknown>>;
}

/** Documents an operation, in addition to the table of routes. */
export interface OperationDoc {
  /** Unique; the name of the method in generated clients. */
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly path?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: ContentDoc;
  readonly answers: Readonly<Partial<Record<200 | 201 | 202 | 204, AnswerDoc>>>;
  /** An example of a 400 response, if there can be one. */
  readonly problems?: Readonly<Record<string, unknown>>;
}

/** By method and path below the base address, for example `GET /exports/`. */
export type OperationDocs = Readonly<Record<string, OperationDoc>>;

/** An HTML page. */
export const html: AnswerDoc = {
  description: 'An HTML page.',
  content: { 'text/html': { schema: z.string(), example: '<!doctype html>…' } },
};

/** A JSON body. */
export function json(schema: z.ZodType, example: unknown): Readonly<Record<string, ContentDoc>> {
  return { 'application/json': { schema, example } };
}
