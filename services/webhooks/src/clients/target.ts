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
/**
 * For how long one address of a target is tried before the next one. Node's default of 250 ms is too short for a distant target, or after the loss of a
 * packet: without IPv6 the next address is unreachable, and the request fails.
 */
const ADDRESS_MS = 2_500;
/** How much of a response body is read; its content is ignored. */
const MAX_ANSWER_BYTES = 16_384;

interface TargetOptions {
  readonly allowedHosts: readonly string[];
  /** An additional certificate authority for targets, in PEM. */
  readonly authority: string | undefined;
  /** Timeout of a request in milliseconds; 15 s by default. */
  readonly timeoutMs?: number | undefined;
}

/**
 * Creates the function that sends requests. Each request has its own connection and ignores proxies in the environment. Addresses are
 * checked when a connection is established, so that an earlier or different resolution of the name does not count.
 */
export function createTargets({ allowedHosts, authority, timeoutMs = TIMEOUT_MS }: TargetOptions): Send {
  const ca = authority === undefined ? {} : { ca: [...getCACertificates('default'), authority] };
  // Created once: if passed to each request, all authorities would be parsed for each connection, which takes 12 ms and memory outside of
  // the heap.
  const agent = new Agent({ keepAlive: false, secureContext: createSecureContext(ca), autoSelectFamilyAttemptTimeout: ADDRESS_MS });
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

/** Sends a request. Settles by the end of the timeout, whatever the target does: a request that never settles would block all others. */
function exchange({ url, options, body, timeoutMs }: Exchange): Promise<Answer> {
  return new Promise((settle) => {
    let answer = failed('timeout');
    const end = () => {
      clearTimeout(timer);
      settle(answer);
      request.destroy();
    };
    const request = httpsRequest(url, options, (response) => {
      // Only the status matters, even if the rest of the response fails.
      answer = answerOf(response);
      let size = 0;
      response.on('error', end).on('close', end);
      response.on('data', ({ byteLength }: Buffer) => {
        size += byteLength;
        if (size > MAX_ANSWER_BYTES) end();
      });
    });
    // After a protocol upgrade, Node emits the connection but no response.
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

/** Returns the header in milliseconds. Dates are ignored. */
function retryAfter(header: string | undefined): number {
  return header !== undefined && /^\d+$/.test(header) ? Number(header) * 1000 : 0;
}
