import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { once } from 'node:events';

/** The result of a request from the client's view. */
export interface RequestResult {
  /** Start time from `performance.now()`. */
  readonly startMs: number;
  readonly ms: number;
  readonly path: string;
  /** The problem with the response, if any. */
  readonly failure?: string;
}

export interface LoadOptions {
  readonly base: string;
  readonly token?: string;
  /** Paths that are requested in turn. */
  readonly paths: readonly string[];
  readonly perSecond: number;
  /** Agent with persistent connections. Required for an `https:` host that has no DNS entry or no trusted certificate. */
  readonly agent?: Agent;
}

const TIMEOUT_MS = 30_000;

/**
 * Sends requests at a constant rate, however long responses take, like many independent clients, which do not wait until a service is back.
 * Connections are reused.
 */
export class Load {
  readonly sent: RequestResult[] = [];
  private readonly agent: Agent;
  private readonly underWay = new Set<Promise<void>>();
  private readonly startedMs = performance.now();
  private readonly timer: NodeJS.Timeout;
  private begun = 0;

  constructor(private readonly options: LoadOptions) {
    this.agent = options.agent ?? new Agent({ keepAlive: true });
    this.timer = setInterval(() => this.catchUp(), 1_000 / options.perSecond);
  }

  /** Stops sending requests and waits for pending responses. */
  async stop(): Promise<readonly RequestResult[]> {
    clearInterval(this.timer);
    await Promise.all(this.underWay);
    this.agent.destroy();
    return this.sent;
  }

  private catchUp(): void {
    const due = Math.floor(((performance.now() - this.startedMs) * this.options.perSecond) / 1_000);
    for (; this.begun < due; this.begun += 1) {
      const path = this.options.paths[this.begun % this.options.paths.length] ?? '/';
      const one = this.ask(path).finally(() => this.underWay.delete(one));
      this.underWay.add(one);
    }
  }

  private async ask(path: string): Promise<void> {
    const startMs = performance.now();
    const failure = await this.exchange(path).catch((caught: NodeJS.ErrnoException) => caught.code ?? caught.message);
    this.sent.push({ startMs, ms: Math.round(performance.now() - startMs), path, ...(failure === undefined ? {} : { failure }) });
  }

  /** Sends a request. @returns the problem with the response, if any @throws Error if the response is incomplete */
  private async exchange(path: string): Promise<string | undefined> {
    const { base, token } = this.options;
    const headers = token === undefined ? {} : { authorization: `Token ${token}` };
    const send = base.startsWith('https:') ? httpsRequest : httpRequest;
    const request = send(`${base}${path}`, { agent: this.agent, headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const answered = once(request, 'response');
    request.end();
    const [response] = (await answered) as [IncomingMessage];
    let text = '';
    // Rejects if the connection breaks before the end.
    for await (const chunk of response.setEncoding('utf8')) text += text.length < 300 ? String(chunk) : '';
    return response.statusCode === 200 ? undefined : `${response.statusCode}: ${text.slice(0, 300)}`;
  }
}
