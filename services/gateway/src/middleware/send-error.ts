import type { Response } from 'express';
import { AppError, type Logger } from '@stechuhr/kernel';
import { answerOf, HttpError, type Answer } from '../http/answers.js';
import { breakOff } from '../http/send-stream.js';

export function sendAnswer(response: Response, { status, headers = {}, body }: Answer): void {
  response.status(status).set(headers).json(body);
}

/** Answers an error; after the first byte it can only reset the connection. A client that has disconnected gets no response. */
export function sendError(response: Response, caught: unknown, logger: Logger): void {
  if (response.destroyed) return;
  logFailure(caught, response, logger);
  if (response.headersSent) breakOff(response);
  else sendAnswer(response, answerOf(caught));
}

function logFailure(caught: unknown, response: Response, logger: Logger): void {
  if (caught instanceof HttpError) return;
  const error = AppError.from(caught);
  const request = { request_id: response.getHeader('X-Request-Id') };
  if (error.code === 'internal') logger.error({ ...request, err: error.cause ?? error }, 'a request failed');
  else if (response.headersSent) logger.warn({ ...request, err: error }, 'an answer was broken off');
  else if (error.code === 'unavailable') logger.warn({ ...request, err: error }, 'a service behind the gateway is unavailable');
}
