import { recordsV1, requireCaller, roleName, type commonV1 } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import type { Caller } from '../domain/caller.js';
import type { RecordPart } from '../domain/time-records.js';

const { RecordPart: Part } = recordsV1;

export function toCaller(caller: commonV1.Caller | undefined): Caller {
  const { institutionId, accountId, visibility } = requireCaller(caller);
  const { role, departmentIds, projects } = visibility;
  return {
    institutionId: institutionId.toLowerCase(),
    accountId: accountId.toLowerCase(),
    departmentIds: roleName(role) === 'department_leader' ? departmentIds : null,
    projectIds: projects?.projectIds ?? null,
  };
}

export function toPart(part: recordsV1.RecordPart): RecordPart {
  switch (part) {
    case Part.RECORD_PART_CONTRACTS:
      return 'contracts';
    case Part.RECORD_PART_ABSENCES:
      return 'absences';
    case Part.RECORD_PART_WORKDAYS:
      return 'workdays';
    case Part.RECORD_PART_TIMESPANS:
      return 'timespans';
    case Part.RECORD_PART_OPENING_BALANCES:
      return 'opening-balances';
    case Part.RECORD_PART_EDITS:
      return 'edits';
    case Part.RECORD_PART_APPLICATIONS:
      return 'applications';
    case Part.RECORD_PART_EARLIER_CONTRACTS:
      return 'earlier-contracts';
    default:
      throw new AppError('invalid', 'A part of the records is unknown.');
  }
}
