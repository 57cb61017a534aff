import { AppError } from '@stechuhr/kernel';
import { Role, Visibility, type Caller } from './gen/stechuhr/common/v1/caller.js';

/** The account that a call acts for, and what it may see. */
export interface KnownCaller extends Caller {
  readonly visibility: Visibility;
}

/** The role of an account in its institution. */
export type RoleName = 'admin' | 'manager' | 'department_leader';

/** The roles as enum values of messages. */
export const roles: Readonly<Record<RoleName, Role>> = {
  admin: Role.ROLE_ADMIN,
  manager: Role.ROLE_MANAGER,
  department_leader: Role.ROLE_DEPARTMENT_LEADER,
};

/**
 * The caller of a request, which every request on behalf of an account must contain with its visibility.
 * @throws AppError `internal` if it is missing: it is set by the gateway, not by API clients, so that a missing one is our mistake and must not
 * become a 400
 */
export function requireCaller(caller: Caller | undefined): KnownCaller {
  if (caller?.visibility === undefined) throw incompleteCall('The call names no caller.');
  const { visibility } = caller;
  return { ...caller, visibility };
}

/**
 * The role of a caller.
 * @throws AppError `internal` if it is unknown
 */
export function roleName(role: Role): RoleName {
  const known = (['admin', 'manager', 'department_leader'] as const).find((name) => roles[name] === role);
  if (known === undefined) throw incompleteCall('The role of the caller is unknown.');
  return known;
}

/** The error for a call without something that every such call contains; `reason` is for the log. */
export function incompleteCall(reason: string): AppError {
  return new AppError('internal', 'Internal error.', { cause: new Error(reason) });
}

/** A text that is equal for equal visibilities. It is made of the whole message, so that new fields are included automatically; sets are sorted. */
export function visibilityKey(visibility: Visibility | undefined): string {
  const { departmentIds, projects, ...others } = Visibility.fromPartial(visibility ?? {});
  const selected = projects && { projectIds: [...projects.projectIds].sort() };
  const message = { ...others, departmentIds: [...departmentIds].sort(), projects: selected };
  return Buffer.from(Visibility.encode(message).finish()).toString('base64');
}
