import { AppError } from '@stechuhr/kernel';
import type { Call, Project } from './ports.js';

/** The project that a parameter or a field of a body names. @throws AppError `invalid`, the same for unknown, invisible and disabled ones */
export async function projectOf({ records }: Pick<Call, 'records'>, field: string, projectId: string): Promise<Project> {
  const project = await records.findProject(projectId);
  if (project === undefined) throw AppError.invalid({ [field]: [`Invalid pk "${projectId}" - object does not exist.`] });
  return project;
}
