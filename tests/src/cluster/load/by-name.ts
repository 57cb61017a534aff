import { Agent, request } from 'node:https';
import type { LookupFunction } from 'node:net';
import { text } from 'node:stream/consumers';
import type { IncomingMessage } from 'node:http';

/** A host name without a DNS entry, on a port of this machine, with a certificate that only its clients trust. */
export interface NamedHost {
  readonly host: string;
  readonly port: number;
  readonly ca: string;
}

interface RequestOptions {
  readonly token?: string;
  readonly method?: string;
  readonly body?: string;
  /** Replaces the host's own name. */
  readonly hostHeader?: string;
}

const onThisMachine: LookupFunction = (_name, { all }, done) => {
  if (all === true) done(null, [{ address: '127.0.0.1', family: 4 }]);
  else done(null, '127.0.0.1', 4);
};

/** Returns a client for such a host. */
export function byName({ host, port, ca }: NamedHost) {
  const base = `https://${host}:${port}`;
  const agent = (keepAlive: boolean): Agent => new Agent({ keepAlive, ca, lookup: onThisMachine, servername: host });
  return {
    base,
    /** Returns a new agent with its own connections. */
    agent: () => agent(true),
    /** Sends a request and returns the complete response. */
    async ask(path: string, { token, method = 'GET', body, hostHeader }: RequestOptions = {}) {
      const headers = {
        ...(token !== undefined && { authorization: `Token ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        ...(hostHeader !== undefined && { host: hostHeader }),
      };
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        request(`${base}${path}`, { method, headers, agent: agent(false) }, resolve)
          .once('error', reject)
          .end(body);
      });
      return { status: answer.statusCode ?? 0, text: await text(answer) };
    },
  };
}
