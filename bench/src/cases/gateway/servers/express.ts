import { credentials } from '@grpc/grpc-js';
import { absenceRulesV1 } from '@stechuhr/contracts';
import { Pool } from 'undici';
import { bareApp, listen } from './bare-app.js';
import { serve, type Bodies } from './start.js';

interface Settings extends Bodies {
  /** The only accepted token. Without it, every request is accepted. */
  readonly token?: string;
  /** If set, bodies are fetched from this port over HTTP instead of being served from memory. */
  readonly upstreamPort?: number;
  /** If set, bodies are fetched from this port by a minimal gRPC call. */
  readonly grpcPort?: number;
}

await serve(async ({ unary, list, token, upstreamPort, grpcPort }: Settings) => {
  const app = bareApp(token);
  const bodies: Readonly<Record<string, unknown>> = { '/unary': JSON.parse(unary), '/list': JSON.parse(list) };
  const ask = grpcPort !== undefined ? overGrpc(grpcPort) : upstreamPort !== undefined ? overHttp(upstreamPort) : undefined;
  for (const [path, body] of Object.entries(bodies)) {
    app.get(path, async (_request, response) => void response.json(ask === undefined ? body : await ask(path)));
  }
  return listen(app);
});

type Ask = (path: string) => Promise<unknown>;

function overHttp(port: number): Ask {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 64 });
  return async (path) => (await pool.request({ path, method: 'GET' })).body.json();
}

/** Messages are returned as JSON without conversion to the format of the API. */
function overGrpc(port: number): Ask {
  const client = new absenceRulesV1.AbsenceRulesServiceClient(`127.0.0.1:${port}`, credentials.createInsecure());
  const page = { caller: undefined, parameters: {}, limit: 100, offset: 0 };
  const single = { caller: undefined, ruleId: '' };
  return (path) =>
    new Promise((resolve, reject) => {
      const answer = (error: Error | null, message: object): void => (error === null ? resolve(message) : reject(error));
      if (path === '/unary') client.getRule(single, answer);
      else client.listRules(page, answer);
    });
}
