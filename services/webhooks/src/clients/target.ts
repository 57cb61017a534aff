import type { IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest, type RequestOptions } from 'node:https';
import { isIP } from 'node:net';
import { createSecureContext, getCACertificates } from 'node:tls';
import { problemOfStatus, type Answer, type Problem } from '../domain/delivery.js';
import { isPublicAddress } from '../domain/public-address.js';
import { hostOf } from '../domain/target-url.js';
import type { Send } from '../operations/ports.js';
import { createPublicLookup } from './public-lookup.js';

const TIMEOUT_MS = 15_000;
/** How much of a response is read; its content is ignored. */
const MAX_ANSWER_BYTES = 16_384;

interface TargetOptions {
  readonly allowedHosts: readonly string[];
  /** An additional CA for certificates of targets, in PEM. */
  readonly authority: string | undefined;
  /** 15 s by default. */
  readonly timeoutMs?: number | undefined;
}

/**
 * Sends requests over separate connections, without a proxy, whatever the environment says. Addresses are validated when a connection is made,
 * because a name may resolve differently at another time or for another process.
 */
export function createTargets({ allowedHosts, authority, timeoutMs = TIMEOUT_MS }: TargetOptions): Send {
  const ca = authority === undefined ? {} : { ca: [...getCACertificates('default'), authority] };
  // Created once: with separate requests, all CA certificates would be parsed for each connection, which takes 12 ms and memory outside of the heap.
  const agent = new Agent({ keepAlive: false, secureContext: createSecureContext(ca) });
  const publicOnly = createPublicLookup();
  return async ({ url, headers, body }) => {
    const host = hostOf(url);
    const isAllowed = allowedHosts.includes(host);
    if (!isAllowed && isIP(host) !== 0 && !isPublicAddress(host)) return failed('address_not_public');
    const options: RequestOptions = {
      method: 'POST',
      agent,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      ...(!isAllowed && { lookup: publicOnly }),
    };
    return exchange({ url, options, body, timeoutMs }).catch((caught: unknown) => failed(problemOf(caught)));
  };
}

interface Exchange {
  readonly url: string;
  readonly options: RequestOptions;
  readonly body: string;
  readonly timeoutMs: number;
}

/** Settles at the latest when the timeout ends, whatever the target does: a request that does not settle would block all others. */
function exchange({ url, options, body, timeoutMs }: Exchange): Promise<Answer> {
  return new Promise((settle) => {
    let answer = failed('timeout');
    const end = () => {
      clearTimeout(timer);
      settle(answer);
      request.destroy();
    };
    const request = httpsRequest(url, options, (response) => {
      // The status decides, regardless of the rest of the response.
      answer = answerOf(response);
      let size = 0;
      response.on('error', end).on('close', end);
      response.on('data', ({ byteLength }: Buffer) => {
        size += byteLength;
        if (size > MAX_ANSWER_BYTES) end();
      });
    });
    // On a protocol upgrade, Node hands over the connection instead of a response.
    request.on('upgrade', (response, socket) => {
      answer = answerOf(response);
      socket.destroy();
      end();
    });
    request.on('error', (caught) => {
      if (answer.status === null) answer = failed(problemOf(caught));
      end();
    });
    const timer = setTimeout(end, timeoutMs);
    request.end(body);
  });
}

function answerOf({ statusCode: status = 0, headers }: IncomingMessage): Answer {
  return { status, problem: problemOfStatus(status), retryAfterMs: retryAfter(headers['retry-after']) };
}

function failed(problem: Problem): Answer {
  return { status: null, problem };
}

function problemOf(caught: unknown): Problem {
  const { code = '' } = caught as Partial<NodeJS.ErrnoException>;
  if (code === 'ADDRESS_NOT_PUBLIC') return 'address_not_public';
  if (code === 'ETIMEDOUT') return 'timeout';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'unresolvable';
  return /CERT|TLS|SSL|EPROTO|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(code) ? 'tls' : 'connection';
}

/** Reads `Retry-After` in seconds; dates are not supported. */
function retryAfter(header: string | undefined): number {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : 0;
}
