import { once } from 'node:events';
import { credentials, type ClientReadableStream } from '@grpc/grpc-js';
import { absenceRulesV1, dailyReportsV1, reviewsV1 } from '@stechuhr/contracts';
import express from 'express';
import { bareApp, portOf } from '../../gateway/servers/bare-app.js';
import { serve } from '../../gateway/servers/start.js';
import { FLOOR } from '../requests.js';
import { PAGE } from '../values.js';

interface Orders {
  readonly token: string;
  readonly grpcPort: number;
}

type Answer<T> = (error: Error | null, message: T) => void;

/** The way of the gateway with nothing but the hop: messages go out as JSON as they are. */
await serve(async ({ token, grpcPort }: Orders) => {
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
  return portOf(app);
});

function answered<T>(call: (answer: Answer<T>) => unknown): Promise<T> {
  return new Promise((resolve, reject) => call((error, message) => (error === null ? resolve(message) : reject(error))));
}

/** The contract has a stream, of which the floor needs one message. */
async function onlyMessage(stream: ClientReadableStream<dailyReportsV1.ListEntriesResponse>): Promise<object> {
  const [{ count, entries }] = (await once(stream, 'data')) as [dailyReportsV1.ListEntriesResponse];
  return { count, results: entries };
}
