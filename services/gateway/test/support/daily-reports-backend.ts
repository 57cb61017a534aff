import { dailyReportsV1 } from '@stechuhr/contracts';
import { AppError, type Logger } from '@stechuhr/kernel';
import { serverStream, startGrpcServer, unary } from '@stechuhr/service';

/** A real gRPC server that replaces the daily-reports service: a test sets its responses and reads its requests. */
export interface DailyReportsBackend {
  readonly address: string;
  /** The last request of any method. */
  asked: object | undefined;
  /** The messages of a page. An error between them ends the response. */
  reports: () => AsyncIterable<dailyReportsV1.ListReportsResponse>;
  entries: () => AsyncIterable<dailyReportsV1.ListEntriesResponse>;
  pdf: () => AsyncIterable<dailyReportsV1.RenderPdfResponse>;
  stop(): Promise<void>;
}

const TAG = '2ed6657d-e927-568b-95e1-2665a8aea6a2';
/** 2026-05-04 */
const DATE = 20_577;

export async function startDailyReportsBackend(logger: Logger): Promise<DailyReportsBackend> {
  const seen =
    <Q extends object, A>(answer: (request: Q) => A) =>
    (request: Q): A => {
      backend.asked = request;
      return answer(request);
    };
  const implementation = {
    listReports: serverStream(seen(() => backend.reports())),
    listEntries: serverStream(seen(() => backend.entries())),
    renderPdf: serverStream(seen(() => backend.pdf())),
    listFieldTypes: unary(seen(() => Promise.resolve(fieldTypes))),
    getStatus: unary(
      seen(({ parameters }: dailyReportsV1.GetStatusRequest) => {
        if (parameters['tag'] === undefined) throw AppError.invalid({ tag: ['This field is required.'] });
        return Promise.resolve({ tagId: TAG, date: DATE, status: dailyReportsV1.ReportStatus.REPORT_STATUS_CLOSED });
      }),
    ),
    autofill: unary(seen(() => Promise.resolve({ tagId: TAG, date: DATE, filled: ['activities'] }))),
    issueUploadToken: unary(
      seen(() => Promise.resolve({ url: 'http://store/bucket', fields: { key: 'a.jpg' }, thumbFields: { key: 'a.thumb.jpg' } })),
    ),
  };
  const services = [{ definition: dailyReportsV1.DailyReportsServiceService, implementation }];
  const server = await startGrpcServer({ bind: '127.0.0.1:0', services, logger });
  const backend: DailyReportsBackend = {
    address: `127.0.0.1:${String(server.port)}`,
    asked: undefined,
    reports: () => inTurn([]),
    entries: () => inTurn([]),
    pdf: () => inTurn([]),
    stop: () => server.stop(),
  };
  return backend;
}

const fieldTypes: dailyReportsV1.ListFieldTypesResponse = {
  types: [
    {
      id: 'weather',
      groupBy: ['date', 'tag_id', 'time'],
      description: 'Wetter',
      choices: [{ name: 'condition', choices: [{ id: 'sunny', label: 'Sonnig' }] }],
    },
    { id: 'string', groupBy: ['date', 'tag_id', 'on_behalf_of_id', 'value'], description: 'Text', choices: [] },
    { id: 'image', groupBy: ['date', 'tag_id', 'on_behalf_of_id', 'image_id'], description: 'Foto', choices: [] },
  ],
};

/** Yields the messages. An error among them ends the stream. */
export async function* inTurn<M extends object>(messages: readonly (M | Error)[]): AsyncGenerator<M, void, undefined> {
  for (const message of messages) {
    if (message instanceof Error) throw message;
    yield message;
  }
}
