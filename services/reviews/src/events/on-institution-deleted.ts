import { deletionConsumer, type ConsumeOptions } from '@stechuhr/bus';
import type { Context } from '../context.js';
import { removeInstitution } from '../operations/remove-institution.js';

/** A deleted institution takes its settings and its suppression rules along, also those that are for all its employees. */
export function institutionDeletedConsumer({ ports, references }: Pick<Context, 'ports' | 'references'>): ConsumeOptions {
  return deletionConsumer({
    service: 'reviews',
    kind: 'institution',
    handler: ({ institutionId, deletedAt }) => removeInstitution({ ...ports, references: references() }, { institutionId }, deletedAt),
  });
}
