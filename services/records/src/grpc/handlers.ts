import { browseV1, mayBrowse, recordsV1, requireDay, requirePage } from '@stechuhr/contracts';
import { importRpc } from '@stechuhr/ingest';
import { AppError, parseUuid } from '@stechuhr/kernel';
import { inBatchesBySize, serverStream, unary, type ServedService } from '@stechuhr/service';
import type { Context } from '../context.js';
import type { EntitledEmployee, ListedAccount } from '../domain/directory.js';
import { browseRecord, browseRecords } from '../operations/browse-records.js';
import { recordCheck } from '../operations/check-import.js';
import { findMissing } from '../operations/find-missing.js';
import { recordIngest } from '../operations/ingest.js';
import { getAccount, getInstitution, listAccounts, listEmployees } from '../operations/read-directory.js';
import { readProjectDay } from '../operations/read-project-day.js';
import { readTimeRecords } from '../operations/read-time-records.js';
import { inBatches } from './batches.js';
import { toCaller, toGroup, toPart, toReferencedKind, toStatedCaller } from './from-proto.js';
import { accountToProto, browsedToProto, entitledEmployeeToProto, institutionToProto, listedAccountToProto } from './to-proto.js';

const { RecordsServiceService: generated } = recordsV1;
const responseSerialize = (message: Buffer) => message;

/** The store returns encoded messages for these two methods, so they are passed on without serialization. */
const definition = {
  ...generated,
  readTimeRecords: { ...generated.readTimeRecords, responseSerialize },
  readProjectDay: { ...generated.readProjectDay, responseSerialize },
};

/** Returns the gRPC services with their implementations. */
export function servedBy(context: Context): ServedService[] {
  return [
    { definition, implementation: { ...recordsHandlers(context), ...encodedHandlers(context) } },
    { definition: browseV1.BrowseServiceService, implementation: { ...browseHandlers(context) } },
  ];
}

function recordsHandlers(context: Context): Omit<recordsV1.RecordsServiceServer, 'readTimeRecords' | 'readProjectDay'> {
  const { directory } = context;
  return {
    import: importRpc(() => recordIngest(context)),
    checkImport: importRpc(() => recordCheck(context)),
    getAccount: unary(async ({ accountId, institutionId }) => {
      return { account: accountToProto(await getAccount(context, accountId, institutionId)) };
    }),
    listAccounts: serverStream(async function* ({ institutionId }) {
      const id = institutionId === undefined ? undefined : parseUuid(institutionId);
      if (institutionId !== undefined && id === undefined) throw AppError.invalid({ institution_id: ['Must be a valid UUID.'] });
      for await (const accounts of inBatches(await listAccounts(context, id), bytesOfAccount))
        yield { accounts: accounts.map(listedAccountToProto) };
    }),
    getInstitution: unary(async ({ caller }) => ({
      institution: institutionToProto(await getInstitution(context, toStatedCaller(caller))),
    })),
    listDepartments: serverStream(async function* ({ caller }) {
      for await (const departments of inBatches(directory.departments(toStatedCaller(caller)))) yield { departments };
    }),
    listProjects: serverStream(async function* ({ caller }) {
      for await (const projects of inBatches(directory.projects(toStatedCaller(caller)))) yield { projects };
    }),
    listEmployees: serverStream(async function* ({ caller, customFields }: recordsV1.ListEmployeesRequest) {
      const names = customFields && new Set(customFields.names.map((name) => name.normalize('NFC')));
      for await (const employees of listEmployees(context, toStatedCaller(caller), names)) yield { employees: [...employees] };
    }),
    listEntitlements: serverStream(async function* ({ caller, employeeIds }) {
      const ids = employeeIds.length === 0 ? undefined : idsOf(employeeIds);
      for await (const employees of inBatches(directory.entitlements(toStatedCaller(caller), ids), bytesOfEntitled))
        yield { employees: employees.map(entitledEmployeeToProto) };
    }),
    findMissing: unary(async ({ institutionId, references }: recordsV1.FindMissingRequest) => {
      const named = references.map((reference) => ({ kind: toReferencedKind(reference.kind), id: reference.id, reference }));
      const missing = new Set(await findMissing(context, { institutionId, references: named }));
      return { missing: named.filter((one) => missing.has(one)).map(({ reference }) => reference) };
    }),
  };
}

function encodedHandlers(context: Context) {
  return {
    readTimeRecords: serverStream(({ caller, employeeIds, fromDay, toDay, parts }: recordsV1.ReadTimeRecordsRequest, { signal }) => {
      const asking = toStatedCaller(caller);
      const days = { fromDay: requireDay('from_day', fromDay), toDay: requireDay('to_day', toDay) };
      return readTimeRecords(context, asking, idsOf(employeeIds), { ...days, parts: new Set(parts.map(toPart)), signal });
    }),
    readProjectDay: serverStream(({ caller, projectId: id, day }: recordsV1.ReadProjectDayRequest, { signal }) => {
      const projectId = parseUuid(id);
      if (projectId === undefined) throw AppError.invalid({ project_id: ['Must be a valid UUID.'] });
      return readProjectDay(context, toStatedCaller(caller), { projectId, day: requireDay('day', day) }, signal);
    }),
  };
}

function browseHandlers(context: Context): browseV1.BrowseServiceServer {
  return {
    // Streamed, because a page may exceed the size of one message.
    listRecords: serverStream(({ caller, group, parameters, limit, offset, brief: isBrief = false }, { peer, ...rpc }) => {
      const name = groupFor(peer, group);
      const asking = toCaller(caller);
      const page = requirePage({ limit, offset });
      return context.inTurn.stream({ ...rpc, institutionId: asking.institutionId }, async function* () {
        const { count, results } = await browseRecords(context, asking, name, { parameters, ...page, isBrief });
        if (results.length === 0) yield { count, records: [] };
        const browsed = results.map((record) => browsedToProto(name, record));
        for (const records of inBatchesBySize(browsed, bytesOfRecord)) yield { count, records };
      });
    }),
    getRecord: unary(async ({ caller, group, id }, { peer }) => {
      const name = groupFor(peer, group);
      return { record: browsedToProto(name, await browseRecord(context, toCaller(caller), name, id.toLowerCase())) };
    }),
  };
}

/** An account may list ten thousand projects and as many departments. */
function bytesOfAccount({ account: { departmentIds, projectIds = [] } }: ListedAccount): number {
  return (departmentIds.length + projectIds.length) * BYTES_OF_ID;
}

/** An employee may have 500 entitlements. */
function bytesOfEntitled({ entitlements }: EntitledEmployee): number {
  return entitlements.reduce((sum, { label }) => sum + BYTES_OF_ENTITLEMENT + Buffer.byteLength(label), 0);
}

const BYTES_OF_ID = 38;
/** Without its label. */
const BYTES_OF_ENTITLEMENT = 128;

function bytesOfRecord(record: browseV1.BrowsedRecord): number {
  return browseV1.BrowsedRecord.encode(record).finish().length;
}

/**
 * Decodes the group.
 * @throws AppError if the calling service may not list it
 */
function groupFor(peer: string | undefined, group: browseV1.RecordGroup): ReturnType<typeof toGroup> {
  const name = toGroup(group);
  if (!mayBrowse(peer, group)) throw new AppError('forbidden', `${String(peer)} may not list ${name}.`);
  return name;
}

/** Parses ids; texts that are not UUIDs are ignored, because no record can have them. */
function idsOf(texts: readonly string[]): string[] {
  return texts.flatMap((text) => parseUuid(text) ?? []);
}
