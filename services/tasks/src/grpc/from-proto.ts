import { commonV1 } from '@stechuhr/contracts';
import { AppError, parseUuid } from '@stechuhr/kernel';
import type { Owner, Role, Visibility } from '../domain/task.js';
import { noSuchTask } from '../operations/get-task.js';

const roles: Readonly<Record<Role, commonV1.Role>> = {
  admin: commonV1.Role.ROLE_ADMIN,
  manager: commonV1.Role.ROLE_MANAGER,
  department_leader: commonV1.Role.ROLE_DEPARTMENT_LEADER,
};

export function toOwner(caller: commonV1.Caller | undefined): Owner {
  if (caller === undefined) throw incomplete('The call names no caller.');
  const { institutionId, accountId } = caller;
  return { institutionId, accountId };
}

export function toVisibility(caller: commonV1.Caller | undefined): Visibility {
  if (caller?.visibility === undefined) throw incomplete('The call names no visibility.');
  const { role, departmentIds, projects } = caller.visibility;
  const known = (['admin', 'manager', 'department_leader'] as const).find((name) => roles[name] === role);
  if (known === undefined) throw incomplete('The role of the caller is unknown.');
  return { role: known, departmentIds, projectIds: projects?.projectIds ?? null };
}

export function toCallerProto({ institutionId, accountId }: Owner, { role, departmentIds, projectIds }: Visibility): commonV1.Caller {
  const projects = projectIds === null ? undefined : { projectIds: [...projectIds] };
  return { institutionId, accountId, visibility: { role: roles[role], departmentIds: [...departmentIds], projects } };
}

/** @throws AppError `not_found`: what is no id names no task */
export function toTaskId(text: string): string {
  const id = parseUuid(text);
  if (id === undefined) throw noSuchTask();
  return id;
}

export function incomplete(reason: string): AppError {
  return new AppError('internal', 'Internal error.', { cause: new Error(reason) });
}
