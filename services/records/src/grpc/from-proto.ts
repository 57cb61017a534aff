import { commonV1, recordsV1 } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import type { Caller } from '../domain/caller.js';
import type { RecordPart } from '../domain/time-records.js';

const { Role } = commonV1;
const { RecordPart: Part } = recordsV1;

export function toCaller(caller: commonV1.Caller | undefined): Caller {
  if (caller?.visibility === undefined) throw new AppError('invalid', 'The call names no caller.');
  const { role, departmentIds, projects } = caller.visibility;
  return {
    institutionId: caller.institutionId.toLowerCase(),
    accountId: caller.accountId.toLowerCase(),
    departmentIds: seesAllDepartments(role) ? null : departmentIds,
    projectIds: projects?.projectIds ?? null,
  };
}

function seesAllDepartments(role: commonV1.Role): boolean {
  switch (role) {
    case Role.ROLE_ADMIN:
    case Role.ROLE_MANAGER:
      return true;
    case Role.ROLE_DEPARTMENT_LEADER:
      return false;
    default:
      throw new AppError('invalid', 'The role of the caller is unknown.');
  }
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
