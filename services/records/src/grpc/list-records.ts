import type { handleServerStreamingCall } from '@grpc/grpc-js';
import { browseV1 } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { serverStream } from '@stechuhr/service';
import type { Context } from '../context.js';
import type { GroupName } from '../domain/browse.js';
import { browseRecords } from '../operations/browse-records.js';
import { browsedToProto } from './browsed-to-proto.js';
import { toCaller } from './from-proto.js';
import { inBatches } from './in-batches.js';

const { RecordGroup } = browseV1;

const groups: Readonly<Partial<Record<browseV1.RecordGroup, GroupName>>> = {
  [RecordGroup.RECORD_GROUP_EMPLOYEES]: 'employees',
  [RecordGroup.RECORD_GROUP_GROUPS]: 'groups',
  [RecordGroup.RECORD_GROUP_PROJECTS]: 'projects',
  [RecordGroup.RECORD_GROUP_CONTRACTS]: 'contracts',
  [RecordGroup.RECORD_GROUP_WORKDAYS]: 'workdays',
  [RecordGroup.RECORD_GROUP_WORKMONTHS]: 'workmonths',
  [RecordGroup.RECORD_GROUP_TIMESPANS]: 'timespans',
  [RecordGroup.RECORD_GROUP_ABSENCES]: 'absences',
  [RecordGroup.RECORD_GROUP_ABSENCE_APPLICATIONS]: 'absence-applications',
  [RecordGroup.RECORD_GROUP_INSTITUTIONS]: 'institutions',
  [RecordGroup.RECORD_GROUP_MANAGERS]: 'managers',
};

export function toGroup(group: browseV1.RecordGroup): GroupName {
  const name = groups[group];
  if (name === undefined) throw new AppError('invalid', 'The group of records is unknown.');
  return name;
}

/** Up to a thousand records may be more than one message holds. */
export function listRecordsRpc(context: Context): handleServerStreamingCall<browseV1.ListRecordsRequest, browseV1.ListRecordsResponse> {
  return serverStream(async function* ({ caller, group, parameters, limit, offset }) {
    const name = toGroup(group);
    const { count, results } = await browseRecords(context, toCaller(caller), name, { parameters, limit, offset });
    yield { part: { $case: 'count' as const, value: count } };
    for await (const batch of inBatches(results)) {
      yield { part: { $case: 'batch' as const, value: { records: batch.map((record) => browsedToProto(name, record)) } } };
    }
  });
}
