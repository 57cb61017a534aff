import { AppError } from '@stechuhr/kernel';

/** A whole answer with a JSON body. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object;
}

/** An outcome that only HTTP knows; everything else is an AppError. */
export class HttpError extends Error {
  override readonly name = 'HttpError';

  constructor(readonly answer: Answer) {
    super(`HTTP ${answer.status}`);
  }
}

const RETRY_AFTER_SECONDS = '5';

/** The bodies of Django REST framework, since the API's clients expect them (docs/rules/api.md#errors). */
export const notFound: Answer = { status: 404, body: { detail: 'Not found.' } };
export const notAcceptable: Answer = { status: 406, body: { detail: 'Could not satisfy the request Accept header.' } };

/** The client may still be sending, so the connection cannot be reused. */
export const tooLarge: Answer = { status: 413, headers: { Connection: 'close' }, body: { detail: 'Request entity too large.' } };

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

/** The answer to anything thrown; what is not meant for clients becomes a 500 that shows nothing. */
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
      return { status: 403, body: { detail: 'You do not have permission to perform this action.' } };
    case 'not_found':
      return notFound;
    case 'rate_limited':
      return { status: 429, headers: { 'Retry-After': RETRY_AFTER_SECONDS }, body };
    case 'unimplemented':
      return { status: 501, body };
    case 'unavailable':
      return { status: 503, headers: { 'Retry-After': RETRY_AFTER_SECONDS }, body };
    case 'internal':
      return { status: 500, body: { detail: 'A server error occurred.' } };
  }
}
