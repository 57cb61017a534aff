import { z } from 'zod';

/** A successful response of an operation. */
export interface AnswerDoc {
  readonly description: string;
  /** The content by media type; undefined for an empty body. */
  readonly content?: Readonly<Record<string, ContentDoc>>;
  readonly headers?: z.ZodObject;
}

export interface ContentDoc {
  readonly schema: z.ZodType;
  readonly example?: unknown;
  /** Several examples by name, instead of one. */
  readonly examples?: Readonly<Record<string, unknown>>;
}

/** The description of an operation, which complements the table of routes. */
export interface OperationDoc {
  /** A unique id, which generated clients use as the name of a method. */
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly path?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: ContentDoc;
  readonly answers: Readonly<Partial<Record<200 | 201 | 202 | 204, AnswerDoc>>>;
  /** An example of the details of a 400, if the operation can return one. */
  readonly problems?: Readonly<Record<string, unknown>>;
}

/** The descriptions by method and path below the base address, for example `GET /exports/`. */
export type OperationDocs = Readonly<Record<string, OperationDoc>>;

/** The description of an HTML page. */
export const html: AnswerDoc = {
  description: 'An HTML page.',
  content: { 'text/html': { schema: z.string(), example: '<!doctype html>…' } },
};

/** Returns the content of a JSON body. */
export function json(schema: z.ZodType, example: unknown): Readonly<Record<string, ContentDoc>> {
  return { 'application/json': { schema, example } };
}
