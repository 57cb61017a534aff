import type { handleServerStreamingCall } from '@grpc/grpc-js';
import { browseV1 } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { serverStream } from '@stechuhr/service';
import type { Context } from '../context.js';
import type { GroupName } from '../domain/browse.js';
import { browseRecords } from '../operations/browse-records.js';
import { browsedToProto } from './browsed-to-proto.js';
import { toCaller } from './from-proto.js';

const { RecordGroup } = browseV1;

/** Far from what a message may hold, however large the next record is. */
const BATCH_BYTES = 1_048_576;

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

/** A page may be more than a message holds. */
export function listRecordsRpc(context: Context): handleServerStreamingCall<browseV1.ListRecordsRequest, browseV1.ListRecordsResponse> {
  return serverStream(async function* ({ caller, group, parameters, limit, offset }) {
    const name = toGroup(group);
    const { count, results } = await browseRecords(context, toCaller(caller), name, { parameters, limit, offset });
    if (results.length === 0) yield { count, records: [] };
    for (const records of bySize(results.map((record) => browsedToProto(name, record)))) yield { count, records };
  });
}

function* bySize(records: readonly browseV1.BrowsedRecord[]): Generator<browseV1.BrowsedRecord[]> {
  let batch: browseV1.BrowsedRecord[] = [];
  let size = 0;
  for (const record of records) {
    batch.push(record);
    size += browseV1.BrowsedRecord.encode(record).finish().length;
    if (size < BATCH_BYTES) continue;
    yield batch;
    batch = [];
    size = 0;
  }
  if (batch.length > 0) yield batch;
}
