import { browseV1, type recordsV1 } from '@stechuhr/contracts';
import { importRpc } from '@stechuhr/ingest';
import type { Clock } from '@stechuhr/kernel';
import { startService, type Logger, type StartedService } from '@stechuhr/service';
import type { Config } from './config.js';
import { createContext, type Context } from './context.js';
import { ingestConsumer } from './events/on-ingest.js';
import { findMissingRpc } from './grpc/find-missing.js';
import { getAccountRpc } from './grpc/get-account.js';
import { getInstitutionRpc } from './grpc/get-institution.js';
import { getRecordRpc } from './grpc/get-record.js';
import { listDepartmentsRpc } from './grpc/list-departments.js';
import { listEmployeesRpc } from './grpc/list-employees.js';
import { listEntitlementsRpc } from './grpc/list-entitlements.js';
import { listProjectsRpc } from './grpc/list-projects.js';
import { listRecordsRpc } from './grpc/list-records.js';
import { readProjectDayRpc } from './grpc/read-project-day.js';
import { readTimeRecordsRpc, recordsServiceDefinition } from './grpc/read-time-records.js';
import { maintain, startMaintenance } from './maintenance.js';
import { recordCheck } from './operations/check-import.js';
import { recordImport } from './operations/ingest.js';

interface Overrides {
  readonly clock?: Clock;
  /** Pauses before a live object is tried again. */
  readonly ingestBackoffMs?: readonly number[];
}

export async function createRecordsService(config: Config, logger: Logger, overrides: Overrides = {}): Promise<StartedService> {
  const context = await createContext(config, logger, overrides.clock);
  // Before anything new is taken.
  await maintain(context);
  const services = [
    { definition: recordsServiceDefinition, implementation: implementationOf(context) },
    {
      definition: browseV1.BrowseServiceService,
      implementation: { listRecords: listRecordsRpc(context), getRecord: getRecordRpc(context) },
    },
  ];
  return startService({
    config,
    logger,
    services,
    checks: context.checks,
    background: () => [context.bus.consume(ingestConsumer(context, overrides.ingestBackoffMs)), startMaintenance(context, logger)],
    close: () => context.close(),
  });
}

function implementationOf(context: Context) {
  const implementation: Omit<recordsV1.RecordsServiceServer, 'readTimeRecords' | 'readProjectDay'> = {
    import: importRpc(() => recordImport(context)),
    checkImport: importRpc(() => recordCheck(context)),
    getAccount: getAccountRpc(context),
    getInstitution: getInstitutionRpc(context),
    listDepartments: listDepartmentsRpc(context),
    listProjects: listProjectsRpc(context),
    listEmployees: listEmployeesRpc(context),
    listEntitlements: listEntitlementsRpc(context),
    findMissing: findMissingRpc(context),
  };
  return { ...implementation, readTimeRecords: readTimeRecordsRpc(context), readProjectDay: readProjectDayRpc(context) };
}
