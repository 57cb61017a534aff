import { once } from 'node:events';
import { credentials, type ClientReadableStream } from '@grpc/grpc-js';
import { absenceRulesV1, dailyReportsV1, reviewsV1 } from '@stechuhr/contracts';
import express from 'express';
import { bareApp, listen } from '../../gateway/servers/bare-app.js';
import { serve } from '../../gateway/servers/start.js';
import { FLOOR } from '../requests.js';
import { PAGE } from '../values.js';

interface Settings {
  readonly token: string;
  readonly grpcPort: number;
}

type Answer<T> = (error: Error | null, message: T) => void;

/** Forwards requests over gRPC like the gateway, but returns messages as JSON without conversion. */
await serve(async ({ token, grpcPort }: Settings) => {
  const address = `127.0.0.1:${grpcPort}`;
  const rules = new absenceRulesV1.AbsenceRulesServiceClient(address, credentials.createInsecure());
  const reviews = new reviewsV1.ReviewsServiceClient(address, credentials.createInsecure());
  const reports = new dailyReportsV1.DailyReportsServiceClient(address, credentials.createInsecure());
  const app = bareApp(token);
  const body = express.text({ type: 'application/json' });
  app.patch(`${FLOOR.rules}:id/`, body, async (request, response) => {
    const message = { caller: undefined, ruleId: String(request.params['id']), json: request.body as string };
    response.json((await answered<absenceRulesV1.UpdateRuleResponse>((answer) => rules.updateRule(message, answer))).rule);
  });
  app.post(FLOOR.suppressions, body, async (request, response) => {
    const message = { caller: undefined, json: request.body as string };
    const created = await answered<reviewsV1.CreateSuppressionResponse>((answer) => reviews.createSuppression(message, answer));
    response.status(201).json(created.suppression);
  });
  app.get(FLOOR.entries, async (request, response) => {
    const [date = ''] = (new URLSearchParams(request.originalUrl.split('?')[1]).get('daterange') ?? '').split('|');
    const page = { caller: undefined, parameters: { date }, limit: PAGE, offset: 0 };
    response.json(await onlyMessage(reports.listEntries(page)));
  });
  return listen(app);
});

function answered<T>(call: (answer: Answer<T>) => unknown): Promise<T> {
  return new Promise((resolve, reject) => call((error, message) => (error === null ? resolve(message) : reject(error))));
}

/** The RPC is a server stream, but the floor answers with a single message. */
async function onlyMessage(stream: ClientReadableStream<dailyReportsV1.ListEntriesResponse>): Promise<object> {
  const [{ count, entries }] = (await once(stream, 'data')) as [dailyReportsV1.ListEntriesResponse];
  return { count, results: entries };
}
