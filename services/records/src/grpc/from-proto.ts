import { browseV1, namedCaller, recordsV1, roleName, roles, type commonV1 } from '@stechuhr/contracts';
import type { ReferencedKind } from '@stechuhr/ingest/kinds';
import { AppError } from '@stechuhr/kernel';
import type { GroupName } from '../domain/browse.js';
import type { Caller } from '../domain/caller.js';
import type { RecordPart } from '../domain/time-records.js';

const { RecordGroup } = browseV1;
const { RecordPart: Part, ReferencedKind: Kind } = recordsV1;

/** Services of other teams name the ids of what they may see as they have them: those of the store are in lower case. */
export function toCaller(caller: commonV1.Caller | undefined): Caller {
  const { institutionId, accountId, visibility } = namedCaller(caller);
  const { role, departmentIds, projects } = visibility;
  return {
    institutionId: lowerCase(institutionId),
    accountId: lowerCase(accountId),
    departmentIds: roleName(role) === 'department_leader' ? departmentIds.map(lowerCase) : null,
    projectIds: projects?.projectIds.map(lowerCase) ?? null,
  };
}

/**
 * Decodes the caller of a method that services of other teams may call.
 *
 * @throws AppError `invalid` if it has no role: these services fill in the caller themselves
 */
export function toStatedCaller(caller: commonV1.Caller | undefined): Caller {
  const isComplete = Object.values(roles).some((role) => role === caller?.visibility?.role);
  if (!isComplete) throw AppError.invalid({ caller: ['The call has to name a caller, and what it may see by a role.'] });
  return toCaller(caller);
}

const lowerCase = (id: string) => id.toLowerCase();

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

export function toReferencedKind(kind: recordsV1.ReferencedKind): ReferencedKind {
  switch (kind) {
    case Kind.REFERENCED_KIND_INSTITUTION:
      return 'institution';
    case Kind.REFERENCED_KIND_DEPARTMENT:
      return 'department';
    case Kind.REFERENCED_KIND_PROJECT:
      return 'project';
    case Kind.REFERENCED_KIND_ACCOUNT:
      return 'account';
    case Kind.REFERENCED_KIND_EMPLOYEE:
      return 'employee';
    case Kind.REFERENCED_KIND_ABSENCE_TYPE:
      return 'absence_type';
    default:
      throw new AppError('invalid', 'A kind of record is unknown.');
  }
}
