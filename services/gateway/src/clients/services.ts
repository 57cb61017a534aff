import { absenceRulesV1, browseV1, dailyReportsV1, exportsV1, recordsV1, reviewsV1, tasksV1, webhooksV1 } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { callUnary, connectAhead, createGrpcClient, readStream } from '@stechuhr/service';
import type { Accounts } from '../operations/ports.js';

/** The services behind the API. */
export interface Clients {
  readonly records: recordsV1.RecordsServiceClient;
  /** Also served by the records service. */
  readonly browse: browseV1.BrowseServiceClient;
  readonly exports: exportsV1.ExportsServiceClient;
  readonly absenceRules: absenceRulesV1.AbsenceRulesServiceClient;
  readonly tasks: tasksV1.TasksServiceClient;
  readonly reviews: reviewsV1.ReviewsServiceClient;
  readonly dailyReports: dailyReportsV1.DailyReportsServiceClient;
  readonly webhooks: webhooksV1.WebhooksServiceClient;
  close(): void;
}

/** How long a request waits for a service that hangs before it is answered with 503, in milliseconds. */
const ANSWER_MS = 5_000;

/** Calls `callUnary` with the deadline of API requests. */
export const ask: typeof callUnary = (client, method, request, options) =>
  callUnary(client, method, request, { deadlineMs: ANSWER_MS, ...options });

/** Calls `readStream` with the stall limit of API requests, for lists. */
export const readList: typeof readStream = (client, method, request, options) =>
  readStream(client, method, request, { stallMs: ANSWER_MS, ...options });

/** `host:port` of each service. */
type Addresses = Readonly<Record<Exclude<keyof Clients, 'close' | 'browse'>, string>>;

export function createClients(addresses: Addresses): Clients {
  const clients = {
    records: createGrpcClient(recordsV1.RecordsServiceClient, addresses.records),
    browse: createGrpcClient(browseV1.BrowseServiceClient, addresses.records),
    exports: createGrpcClient(exportsV1.ExportsServiceClient, addresses.exports),
    absenceRules: createGrpcClient(absenceRulesV1.AbsenceRulesServiceClient, addresses.absenceRules),
    tasks: createGrpcClient(tasksV1.TasksServiceClient, addresses.tasks),
    reviews: createGrpcClient(reviewsV1.ReviewsServiceClient, addresses.reviews),
    dailyReports: createGrpcClient(dailyReportsV1.DailyReportsServiceClient, addresses.dailyReports),
    webhooks: createGrpcClient(webhooksV1.WebhooksServiceClient, addresses.webhooks),
  };
  connectAhead(...Object.values(clients));
  return {
    ...clients,
    close() {
      for (const client of Object.values(clients)) client.close();
    },
  };
}

export function accountsOf(records: recordsV1.RecordsServiceClient): Accounts {
  return {
    async find(accountId, institutionId) {
      const { account } = await ask(records, records.getAccount, { accountId, institutionId }, { idempotent: true }).catch(noAccount);
      if (account === undefined) return undefined;
      if (account.visibility === undefined)
        throw new AppError('internal', 'Internal error.', { cause: new Error('An account without visibility.') });
      return { institutionId: account.institutionId, visibility: account.visibility };
    },
  };
}

function noAccount(caught: unknown): recordsV1.GetAccountResponse {
  if (caught instanceof AppError && caught.code === 'not_found') return { account: undefined };
  throw caught;
}
