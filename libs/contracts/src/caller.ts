import { AppError } from '@stechuhr/kernel';
import { Role, Visibility, type Caller } from './gen/stechuhr/common/v1/caller.js';

/** Who acts in a call, and what that account may see. */
export interface KnownCaller extends Caller {
  readonly visibility: Visibility;
}

/** What an account is in its institution. */
export type RoleName = 'admin' | 'manager' | 'department_leader';

/** The roles as messages spell them. */
export const roles: Readonly<Record<RoleName, Role>> = {
  admin: Role.ROLE_ADMIN,
  manager: Role.ROLE_MANAGER,
  department_leader: Role.ROLE_DEPARTMENT_LEADER,
};

/**
 * The caller of a call, which every message that acts for an account names with its visibility.
 *
 * @throws AppError `internal` when it is missing: the gateway sets it, never a client of the API, so it is a mistake of ours and no
 *   `invalid`, which would reach that client as a 400
 */
export function requireCaller(caller: Caller | undefined): KnownCaller {
  if (caller?.visibility === undefined) throw incompleteCall('The call names no caller.');
  const { visibility } = caller;
  return { ...caller, visibility };
}

/** The role of a caller. @throws AppError `internal` when it is one that we do not know */
export function roleName(role: Role): RoleName {
  const known = (['admin', 'manager', 'department_leader'] as const).find((name) => roles[name] === role);
  if (known === undefined) throw incompleteCall('The role of the caller is unknown.');
  return known;
}

/** What a service answers when another one left out what every such call has; `reason` is for the log. */
export function incompleteCall(reason: string): AppError {
  return new AppError('internal', 'Internal error.', { cause: new Error(reason) });
}

/**
 * What a caller sees, as a text that is the same for the same: the whole message, so that a new field of it counts from its first day; sets
 * in one order.
 */
export function visibilityKey(visibility: Visibility | undefined): string {
  const { departmentIds, projects, ...others } = Visibility.fromPartial(visibility ?? {});
  const selected = projects && { projectIds: [...projects.projectIds].sort() };
  const message = { ...others, departmentIds: [...departmentIds].sort(), projects: selected };
  return Buffer.from(Visibility.encode(message).finish()).toString('base64');
}
