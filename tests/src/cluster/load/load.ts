import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { once } from 'node:events';

/** One request as the client saw it. */
export interface Sent {
  /** By `performance.now()`. */
  readonly startMs: number;
  readonly ms: number;
  readonly path: string;
  /** What was wrong with the answer, if anything. */
  readonly failure?: string;
}

export interface LoadOptions {
  readonly base: string;
  readonly token?: string;
  /** In turn, again and again. */
  readonly paths: readonly string[];
  readonly perSecond: number;
  /** Keeps connections; of a base of `https:` that is not found or trusted without it. */
  readonly agent?: Agent;
}

const TIMEOUT_MS = 30_000;

/**
 * Requests at a steady rate, however long answers take: what a crowd of clients does, and what does not wait politely for a service that
 * is gone. Connections are kept and used again.
 */
export class Load {
  readonly sent: Sent[] = [];
  private readonly agent: Agent;
  private readonly underWay = new Set<Promise<void>>();
  private readonly startedMs = performance.now();
  private readonly timer: NodeJS.Timeout;
  private begun = 0;

  constructor(private readonly options: LoadOptions) {
    this.agent = options.agent ?? new Agent({ keepAlive: true });
    this.timer = setInterval(() => this.catchUp(), 1_000 / options.perSecond);
  }

  /** Ends the requests, and waits for the answers to those that are on their way. */
  async stop(): Promise<readonly Sent[]> {
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

  /** @returns what is wrong with a whole answer; rejects where it is none */
  private async exchange(path: string): Promise<string | undefined> {
    const { base, token } = this.options;
    const headers = token === undefined ? {} : { authorization: `Token ${token}` };
    const send = base.startsWith('https:') ? httpsRequest : httpRequest;
    const request = send(`${base}${path}`, { agent: this.agent, headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const answered = once(request, 'response');
    request.end();
    const [response] = (await answered) as [IncomingMessage];
    let text = '';
    // Rejects where the connection breaks before the end.
    for await (const chunk of response.setEncoding('utf8')) text += text.length < 300 ? String(chunk) : '';
    return response.statusCode === 200 ? undefined : `${response.statusCode}: ${text.slice(0, 300)}`;
  }
}
