import { AppError, parseUuid } from '@stechuhr/kernel';
import { Role, Visibility, type Caller } from './gen/stechuhr/common/v1/caller.js';

/** The account for which a call is made, and what it may see. */
export interface KnownCaller extends Caller {
  readonly visibility: Visibility;
}

/** The role of an account in its institution. */
export type RoleName = 'admin' | 'manager' | 'department_leader';

/** The roles as values of the protobuf enum. */
export const roles: Readonly<Record<RoleName, Role>> = {
  admin: Role.ROLE_ADMIN,
  manager: Role.ROLE_MANAGER,
  department_leader: Role.ROLE_DEPARTMENT_LEADER,
};

/**
 * Returns the caller of a call, with its ids as they are stored. Every message for an account contains it with its visibility. Its ids
 * become parts of subjects and keys: an event of an institution that is no UUID would wait in its outbox forever.
 *
 * @throws AppError `internal` if it is missing, has no role, or if one of its ids is no UUID: it is set by the gateway and not by clients of
 *   the API, so this is an internal error, and not `invalid`, which would reach the client as a 400
 */
export function requireCaller(caller: Caller | undefined): KnownCaller {
  const named = namedCaller(caller);
  // Throws if it is unknown.
  roleName(named.visibility.role);
  const [institutionId, accountId] = [parseUuid(named.institutionId), parseUuid(named.accountId)];
  if (institutionId === undefined || accountId === undefined) throw incompleteCall('The ids of the caller are no UUIDs.');
  return { ...named, institutionId, accountId };
}

/**
 * Returns the caller of a call that only reads, for which no record belongs to an institution that is no UUID.
 *
 * @throws AppError `internal` if it is missing
 */
export function namedCaller(caller: Caller | undefined): KnownCaller {
  if (caller?.visibility === undefined) throw incompleteCall('The call names no caller.');
  const { visibility } = caller;
  return { ...caller, visibility };
}

/** Returns the role of a caller. @throws AppError `internal` if it is unknown */
export function roleName(role: Role): RoleName {
  const known = (['admin', 'manager', 'department_leader'] as const).find((name) => roles[name] === role);
  if (known === undefined) throw incompleteCall('The role of the caller is unknown.');
  return known;
}

/** Creates the error for a call in which another service omitted a required part; `reason` is only logged. */
export function incompleteCall(reason: string): AppError {
  return new AppError('internal', 'Internal error.', { cause: new Error(reason) });
}

/**
 * Returns a text that is equal for equal visibilities. It encodes the whole message, so that new fields are included automatically; sets
 * are sorted.
 */
export function visibilityKey(visibility: Visibility | undefined): string {
  const { departmentIds, projects, ...others } = Visibility.fromPartial(visibility ?? {});
  const selected = projects && { projectIds: [...projects.projectIds].sort() };
  const message = { ...others, departmentIds: [...departmentIds].sort(), projects: selected };
  return Buffer.from(Visibility.encode(message).finish()).toString('base64');
}
