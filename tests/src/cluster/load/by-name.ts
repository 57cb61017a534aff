import { Agent, request } from 'node:https';
import type { LookupFunction } from 'node:net';
import { text } from 'node:stream/consumers';
import type { IncomingMessage } from 'node:http';

/** A host that no DNS knows, on a port of this machine, with a certificate that only its clients trust. */
export interface NamedHost {
  readonly host: string;
  readonly port: number;
  readonly ca: string;
}

interface Asked {
  readonly token?: string;
  readonly method?: string;
  readonly body?: string;
  /** Instead of the host's own. */
  readonly hostHeader?: string;
}

const onThisMachine: LookupFunction = (_name, { all }, done) => {
  if (all === true) done(null, [{ address: '127.0.0.1', family: 4 }]);
  else done(null, '127.0.0.1', 4);
};

/** A client of such a host. */
export function byName({ host, port, ca }: NamedHost) {
  const base = `https://${host}:${port}`;
  const agent = (keepAlive: boolean): Agent => new Agent({ keepAlive, ca, lookup: onThisMachine, servername: host });
  return {
    base,
    /** Connections of a load of its own. */
    agent: () => agent(true),
    /** The answer whole. */
    async ask(path: string, { token, method = 'GET', body, hostHeader }: Asked = {}) {
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
