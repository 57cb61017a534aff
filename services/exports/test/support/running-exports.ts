import { commonV1, exportsV1 } from '@stechuhr/contracts';
import { newId } from '@stechuhr/kernel';
import { callUnary, createGrpcClient, createLogger, readStream } from '@stechuhr/service';
import { readConfig } from '../../src/config.js';
import { createExportsService } from '../../src/service.js';

/** The complete response of a run. */
export interface Run {
  readonly header: exportsV1.ExportHeader | undefined;
  readonly text: string;
  readonly answered: exportsV1.AnsweredTask | undefined;
}

/** The service running in this process, with a gRPC client for it. */
export interface RunningExports {
  readonly institutionId: string;
  listExporters(): Promise<readonly string[]>;
  /** Streams the parts of a response. Leaving the loop ends the call. */
  stream(parameters: Record<string, string>, more?: Partial<exportsV1.RunExportRequest>): AsyncIterable<exportsV1.RunExportResponse>;
  /** Runs an export and returns the complete response. */
  run(parameters: Record<string, string>, more?: Partial<exportsV1.RunExportRequest>): Promise<Run>;
  stop(): Promise<void>;
}

interface Addresses {
  readonly recordsAddress: string;
  /** By default, nothing listens at these addresses. */
  readonly absenceRulesAddress?: string;
  readonly tasksAddress?: string;
  readonly natsUrl: string;
  readonly caller?: commonV1.Caller;
  readonly masterDataBytes?: number;
}

const UNAVAILABLE = '127.0.0.1:9';

export async function startExports(addresses: Addresses): Promise<RunningExports> {
  const { recordsAddress, absenceRulesAddress = UNAVAILABLE, tasksAddress = UNAVAILABLE, natsUrl, caller = anyCaller() } = addresses;
  const services = {
    RECORDS_ADDRESS: recordsAddress,
    ABSENCE_RULES_ADDRESS: absenceRulesAddress,
    TASKS_ADDRESS: tasksAddress,
    REVIEWS_ADDRESS: UNAVAILABLE,
  };
  const config = readConfig({ ...services, NATS_URL: natsUrl, LOG_LEVEL: 'fatal' });
  const { masterDataBytes } = addresses;
  const overrides = masterDataBytes === undefined ? {} : { masterDataBytes };
  const service = await createExportsService(config, createLogger('exports', 'fatal'), overrides);
  const client = createGrpcClient(exportsV1.ExportsServiceClient, `127.0.0.1:${service.grpcPort}`);
  const stream: RunningExports['stream'] = (parameters, more = {}) =>
    readStream(client, client.runExport, {
      caller,
      exporter: 'generic',
      parameters,
      headerOnly: false,
      existingOnly: false,
      withoutReview: true,
      ...more,
    });
  return {
    institutionId: caller.institutionId,
    stream,
    listExporters: async () => (await callUnary(client, client.listExporters, {})).exporters,
    async run(parameters, more) {
      let header: exportsV1.ExportHeader | undefined;
      let answered: exportsV1.AnsweredTask | undefined;
      const chunks: Uint8Array[] = [];
      for await (const { part } of stream(parameters, more)) {
        if (part?.$case === 'header') header = part.value;
        if (part?.$case === 'task') answered = part.value;
        if (part?.$case === 'chunk') chunks.push(part.value);
      }
      return { header, text: Buffer.concat(chunks).toString(), answered };
    },
    async stop() {
      client.close();
      await service.stop();
    },
  };
}

function anyCaller(): commonV1.Caller {
  const visibility = { role: commonV1.Role.ROLE_ADMIN, departmentIds: [], projects: undefined };
  return { institutionId: newId(), accountId: newId(), visibility };
}
