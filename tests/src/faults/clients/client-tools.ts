import type { Bus } from '@stechuhr/bus';
import { ingestSubject } from '@stechuhr/contracts';
import { call, type Answer } from '../../support/http.js';
import type { Firm, Line, Slot } from '../firm.js';
import type { History, WriteOutcome } from '../history.js';
import type { Stage } from '../stage.js';

/** A client of the campaign, which repeats one kind of operation. */
export interface Client {
  readonly name: string;
  /** Pause after each request in milliseconds. */
  readonly restMs?: number;
  /** Prepares the client. @returns its repeated operation, which resolves to whether the client was served */
  start(tools: ClientTools): () => Promise<boolean>;
}

/** Tools of clients: the platform, the firm whose records they write, and the history of results. */
export interface ClientTools {
  readonly stage: Stage;
  readonly firm: Firm;
  readonly slot: Slot;
  readonly history: History;
  /** Calls the API and records the response time; undefined if the connection broke. */
  ask(client: string, path: string, request?: { readonly method: string; readonly body?: object }): Promise<Answer | undefined>;
  /** Publishes a live object, by default of the firm. */
  publish(line: Line, institutionId?: string): Promise<WriteOutcome>;
}

/** Returns what a client knows about a write after a response: unknown after a broken connection or a 5xx. */
export function outcomeOf(answer: Answer | undefined): WriteOutcome {
  if (answer === undefined || answer.status >= 500) return 'unknown';
  return answer.status < 300 ? 'acknowledged' : 'refused';
}

export function openClientTools({
  stage,
  firm,
  slot,
  history,
  bus,
}: Pick<ClientTools, 'stage' | 'firm' | 'slot' | 'history'> & { bus: Bus }): ClientTools {
  return {
    stage,
    firm,
    slot,
    history,
    async ask(client, path, { method = 'GET', body } = { method: 'GET' }) {
      const began = performance.now();
      const sent = body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
      const answered = call(`${stage.baseUrl}/${path}`, { method, token: firm.token, ...sent });
      const [answer, broken] = await answered.then(
        (found) => [found, ''] as const,
        (failure: Error) => [undefined, failure.message] as const,
      );
      const { status = 0, text = broken } = answer ?? {};
      const isFailure = status === 0 || status >= 500;
      history.answers.push({ client, status, ms: performance.now() - began, ...(isFailure && { text: `${path}: ${text.slice(0, 200)}` }) });
      return answer;
    },
    async publish(line, institutionId = firm.institutionId) {
      try {
        await bus.publish(ingestSubject(institutionId, line.kind), JSON.stringify(line));
        return 'acknowledged';
      } catch {
        return 'unknown';
      }
    },
  };
}
