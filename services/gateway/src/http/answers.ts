import type { Response } from 'express';
import { AppError, type Logger } from '@stechuhr/kernel';
import { breakOff } from './send-stream.js';

/** A complete response with a JSON body. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object;
}

/** An error that exists only in HTTP; all others are an AppError. */
export class HttpError extends Error {
  override readonly name = 'HttpError';

  constructor(readonly answer: Answer) {
    super(`HTTP ${answer.status}`);
  }
}

const RETRY_AFTER_SECONDS = '5';

/** The response bodies are those of Django REST framework, because clients of the API expect them (docs/rules/api.md#errors). */
export const notFound: Answer = { status: 404, body: { detail: 'Not found.' } };
export const notAcceptable: Answer = { status: 406, body: { detail: 'Could not satisfy the request Accept header.' } };

export const withoutHost: Answer = { status: 400, headers: { Connection: 'close' }, body: { detail: 'The header Host is missing.' } };
export const severalHosts: Answer = { status: 400, headers: { Connection: 'close' }, body: { detail: 'There are several Host headers.' } };
export const unknownTransferCoding: Answer = {
  status: 501,
  headers: { Connection: 'close' },
  body: { detail: 'The only supported transfer coding is chunked.' },
};
export const expectationFailed: Answer = {
  status: 417,
  headers: { Connection: 'close' },
  body: { detail: 'Only the expectation 100-continue can be met.' },
};

export const overloaded: Answer = {
  status: 503,
  headers: { 'Retry-After': RETRY_AFTER_SECONDS },
  body: { detail: 'The server has too many requests at the moment. Try again later.' },
};

/** Closes the connection, since the client may still be sending. */
export const tooLarge: Answer = { status: 413, headers: { Connection: 'close' }, body: { detail: 'Request entity too large.' } };

const FORBIDDEN = 'You do not have permission to perform this action.';

/** @param lacking the scope that the token needs; named only to strict tokens, which are issued for a purpose */
export function forbidden(lacking?: string | null): Answer {
  return { status: 403, body: { detail: lacking ? `${FORBIDDEN} The token lacks the scope ${lacking}.` : FORBIDDEN } };
}

const MAX_QUOTED = 100;

export function unsupportedMediaType(mediaType: string): Answer {
  return { status: 415, body: { detail: `Unsupported media type "${mediaType.slice(0, MAX_QUOTED)}" in request.` } };
}

export function methodNotAllowed(method: string, allow: string): Answer {
  return { status: 405, headers: { Allow: allow }, body: { detail: `Method "${method}" not allowed.` } };
}

export function throttled(seconds: number): Answer {
  return {
    status: 429,
    headers: { 'Retry-After': String(seconds) },
    body: { detail: `Request was throttled. Expected available in ${seconds} seconds.` },
  };
}

/** Returns the response for anything thrown. Errors that are not meant for clients become a 500 without details. */
export function answerOf(caught: unknown): Answer {
  return caught instanceof HttpError ? caught.answer : answerOfAppError(AppError.from(caught));
}

function answerOfAppError({ code, message, details }: AppError): Answer {
  const body = details ?? { detail: message };
  switch (code) {
    case 'invalid':
      return { status: 400, body };
    case 'conflict':
    case 'precondition':
      return { status: 400, body: details ?? { non_field_errors: [message] } };
    case 'unauthenticated':
      return { status: 401, headers: { 'WWW-Authenticate': 'Token' }, body };
    case 'forbidden':
      return forbidden();
    case 'not_found':
      return notFound;
    case 'rate_limited':
      return { status: 429, headers: { 'Retry-After': RETRY_AFTER_SECONDS }, body };
    case 'unavailable':
      return { status: 503, headers: { 'Retry-After': RETRY_AFTER_SECONDS }, body };
    case 'internal':
      return { status: 500, body: { detail: 'A server error occurred.' } };
  }
}

export function sendAnswer(response: Response, { status, headers = {}, body }: Answer): void {
  response.status(status).set(headers).json(body);
}

/** The statuses of errors that came too late to be sent. */
const tooLate = new WeakMap<Response, number>();

/** Sends an error response. After the first byte it can only reset the connection. A client that has disconnected gets no response. */
export function sendError(response: Response, caught: unknown, logger: Logger): void {
  if (response.destroyed) return;
  logFailure(caught, response, logger);
  const answer = answerOf(caught);
  if (response.headersSent) {
    tooLate.set(response, answer.status);
    breakOff(response);
  } else sendAnswer(response, answer);
}

/** Returns the status by which a response is counted. For one that was broken off, it is that of the error, not the one that was sent. */
export function outcomeOf(response: Response): number {
  return tooLate.get(response) ?? response.statusCode;
}

function logFailure(caught: unknown, response: Response, logger: Logger): void {
  if (caught instanceof HttpError) return;
  const error = AppError.from(caught);
  const request = { request_id: response.getHeader('X-Request-Id') };
  if (error.code === 'internal') logger.error({ ...request, err: error.cause ?? error }, 'a request failed');
  else if (response.headersSent) logger.warn({ ...request, err: error }, 'an answer was broken off');
  else if (error.code === 'unavailable') logger.warn({ ...request, err: error }, 'a service behind the gateway is unavailable');
}
