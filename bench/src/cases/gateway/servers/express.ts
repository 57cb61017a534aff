import { credentials } from '@grpc/grpc-js';
import { absenceRulesV1 } from '@stechuhr/contracts';
import { Pool } from 'undici';
import { bareApp, portOf } from './bare-app.js';
import { serve, type Bodies } from './start.js';

interface Orders extends Bodies {
  /** Known tokens, by hash; everybody is let in without. */
  readonly token?: string;
  /** Where the bodies come from instead of memory: over HTTP, */
  readonly upstreamPort?: number;
  /** or over gRPC, by a call as small as can be. */
  readonly grpcPort?: number;
}

await serve(async ({ unary, list, token, upstreamPort, grpcPort }: Orders) => {
  const app = bareApp(token);
  const bodies: Readonly<Record<string, unknown>> = { '/unary': JSON.parse(unary), '/list': JSON.parse(list) };
  const ask = grpcPort !== undefined ? overGrpc(grpcPort) : upstreamPort !== undefined ? overHttp(upstreamPort) : undefined;
  for (const [path, body] of Object.entries(bodies)) {
    app.get(path, async (_request, response) => void response.json(ask === undefined ? body : await ask(path)));
  }
  return portOf(app);
});

type Ask = (path: string) => Promise<unknown>;

function overHttp(port: number): Ask {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 64 });
  return async (path) => (await pool.request({ path, method: 'GET' })).body.json();
}

/** The messages go out as JSON as they are: even what a rule looks like to clients is left out. */
function overGrpc(port: number): Ask {
  const client = new absenceRulesV1.AbsenceRulesServiceClient(`127.0.0.1:${port}`, credentials.createInsecure());
  const page = { caller: undefined, parameters: {}, limit: 100, offset: 0 };
  const lone = { caller: undefined, ruleId: '' };
  return (path) =>
    new Promise((resolve, reject) => {
      const answer = (error: Error | null, message: object): void => (error === null ? resolve(message) : reject(error));
      if (path === '/unary') client.getRule(lone, answer);
      else client.listRules(page, answer);
    });
}
