import type { RequestHandler } from 'express';
import { notFound } from '../http/answers.js';
import { rawQueryOf } from '../http/query.js';
import { sendAnswer } from './send-error.js';

/**
 * What answers a known path without its trailing slash: a redirect where nothing can get lost on the way, else 404. The query is kept as it
 * was sent, and the address is a path, so that a Host header cannot redirect the client elsewhere.
 *
 * @param publicUrl its path, if it has one, is in front of ours for clients
 */
export function addSlash(publicUrl: string | undefined): RequestHandler {
  const mount = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return sendAnswer(response, notFound);
    const location = `${mount}${request.path}/${rawQueryOf(request.originalUrl)}`;
    response.status(301).set({ Location: location }).end();
  };
}
