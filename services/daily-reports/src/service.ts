import { dailyReportsV1 } from '@stechuhr/contracts';
import { handedOverConsumer, importRpc, withoutWriting } from '@stechuhr/ingest';
import { startService, type Logger, type StartedService } from '@stechuhr/service';
import type { Config } from './config.js';
import { createContext, type Context, type ContextOverrides } from './context.js';
import { autofillRpc } from './grpc/autofill.js';
import { changeStatusRpc } from './grpc/change-status.js';
import { getFormRpc } from './grpc/get-form.js';
import { getStatusRpc } from './grpc/get-status.js';
import { issueUploadTokenRpc } from './grpc/issue-upload-token.js';
import { listEntriesRpc } from './grpc/list-entries.js';
import { listFieldTypesRpc } from './grpc/list-field-types.js';
import { listReportsRpc } from './grpc/list-reports.js';
import { rebuildDescriptorsRpc } from './grpc/rebuild-descriptors.js';
import { renderPdfRpc } from './grpc/render-pdf.js';
import { dailyReportImport, dailyReportIngest } from './operations/ingest/ingest.js';
import { startWeatherCapture } from './weather-capture.js';

/** Live objects by kind, and the durable consumer of each: one at a time, so that entries of a group keep their order. */
const liveKinds = [
  ['daily_report_form', 'daily-reports-forms'],
  ['daily_report_entry', 'daily-reports-entries'],
  ['daily_report_status', 'daily-reports-statuses'],
] as const;

type Server = dailyReportsV1.DailyReportsServiceServer;

function implementationOf(context: Context): Server {
  return {
    import: importRpc((signal) => dailyReportImport(context.ingestNeeds(signal))),
    checkImport: importRpc((signal) => withoutWriting(dailyReportImport(context.ingestNeeds(signal)))),
    listReports: listReportsRpc(context),
    listEntries: listEntriesRpc(context),
    getStatus: getStatusRpc(context),
    changeStatus: changeStatusRpc(context),
    autofill: autofillRpc(context),
    renderPdf: renderPdfRpc(context),
    issueUploadToken: issueUploadTokenRpc(context),
    listFieldTypes: listFieldTypesRpc(),
    getForm: getFormRpc(context),
    rebuildDescriptors: rebuildDescriptorsRpc(context),
  };
}

interface Overrides extends ContextOverrides {
  readonly ingestBackoffMs?: readonly number[];
}

export async function createDailyReportsService(config: Config, logger: Logger, overrides: Overrides = {}): Promise<StartedService> {
  const context = await createContext(config, logger, overrides);
  const services = [{ definition: dailyReportsV1.DailyReportsServiceService, implementation: { ...implementationOf(context) } }];
  const ingest = dailyReportIngest(context.ingestNeeds());
  const live = { concurrency: 1, backoffMs: overrides.ingestBackoffMs };
  return startService({
    config,
    logger,
    services,
    checks: context.checks,
    background: () => [
      ...liveKinds.map(([kind, durable]) => context.bus.consume(handedOverConsumer(kind, ingest, { ...live, durable }))),
      ...(context.weather ? [startWeatherCapture(context.weather, logger)] : []),
    ],
    close: () => context.close(),
  });
}
