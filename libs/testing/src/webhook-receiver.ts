import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { loopbackCertificate } from './certificate.js';

/** A received request. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The response to a request: a status, or a function that may respond in any way or not at all. */
type ReceiverAnswer = number | ((response: ServerResponse) => void);

/** A receiver of webhooks on this machine, over https. */
export interface WebhookReceiver {
  /** `https://localhost:<port>` */
  readonly origin: string;
  /** The certificate, for `WEBHOOK_CA_FILE`. */
  readonly caFile: string;
  readonly received: readonly ReceivedRequest[];
  /** Returns the requests with this path. */
  at(path: string): readonly ReceivedRequest[];
  /** Sets the responses for a path, one for each request; the last one repeats. 204 by default. */
  answer(path: string, ...answers: readonly ReceiverAnswer[]): void;
  stop(): Promise<void>;
}

/** Starts a receiver with its own certificate. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const { key, cert } = loopbackCertificate();
  const folder = mkdtempSync(join(tmpdir(), 'stechuhr-receiver-'));
  const caFile = join(folder, 'ca.crt');
  writeFileSync(caFile, cert);
  const received: ReceivedRequest[] = [];
  const answers = new Map<string, ReceiverAnswer[]>();
  const server = createServer({ key, cert }, (request, response) => {
    const { method = '', url: path = '', headers } = request;
    void text(request).then((body) => {
      received.push({ method, path, headers, body });
      const given = answers.get(path) ?? [];
      const answer = (given.length > 1 ? given.shift() : given[0]) ?? 204;
      if (typeof answer === 'number') response.writeHead(answer).end();
      else answer(response);
    });
  }).listen(0, 'localhost');
  await once(server, 'listening');
  return {
    origin: `https://localhost:${String((server.address() as AddressInfo).port)}`,
    caFile,
    received,
    at: (path) => received.filter((one) => one.path === path),
    answer: (path, ...given) => void answers.set(path, [...given]),
    async stop() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      rmSync(folder, { recursive: true });
    },
  };
}
