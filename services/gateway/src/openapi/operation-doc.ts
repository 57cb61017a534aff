import { z } from 'zod';

/** A successful response of an operation. */
export interface AnswerDoc {
  readonly description: string;
  /** By media type; none for an empty body. */
  readonly content?: Readonly<Record<string, ContentDoc>>;
  readonly headers?: z.ZodObject;
}

export interface ContentDoc {
  readonly schema: z.ZodType;
  readonly example?: unknown;
  /** Instead of one: several by name. */
  readonly examples?: Readonly<Record<string, unknown>>;
}

/** The description of an operation, in addition to the table of routes. */
export interface OperationDoc {
  /** Unique; the name of a method in generated clients. */
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly path?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: ContentDoc;
  readonly answers: Readonly<Partial<Record<200 | 201 | 202 | 204, AnswerDoc>>>;
  /** An example of a 400, where there can be one. */
  readonly problems?: Readonly<Record<string, unknown>>;
}

/** By method and path below the base address, for example `GET /exports/`. */
export type OperationDocs = Readonly<Record<string, OperationDoc>>;

/** A page for people. */
export const html: AnswerDoc = {
  description: 'An HTML page.',
  content: { 'text/html': { schema: z.string(), example: '<!doctype html>…' } },
};

/** A JSON body. */
export function json(schema: z.ZodType, example: unknown): Readonly<Record<string, ContentDoc>> {
  return { 'application/json': { schema, example } };
}
