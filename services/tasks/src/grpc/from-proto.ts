import { requireCaller, roleName, type commonV1 } from '@stechuhr/contracts';
import { parseUuid } from '@stechuhr/kernel';
import type { Owner, Visibility } from '../domain/task.js';
import { noSuchTask } from '../operations/read-tasks.js';

export function toOwner(caller: commonV1.Caller | undefined): Owner {
  const { institutionId, accountId } = requireCaller(caller);
  return { institutionId, accountId };
}

export function toVisibility(caller: commonV1.Caller | undefined): Visibility {
  const { role, departmentIds, projects } = requireCaller(caller).visibility;
  return { role: roleName(role), departmentIds, projectIds: projects?.projectIds ?? null };
}

/** @throws AppError `not_found` for a text that is not a UUID */
export function toTaskId(text: string): string {
  const id = parseUuid(text);
  if (id === undefined) throw noSuchTask();
  return id;
}
