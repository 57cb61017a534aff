import type { BusMessage, ConsumeOptions } from '@stechuhr/bus';
import { cloudEventSchema, streams } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import type { OrganizationRecords, Ports } from '../operations/ports.js';
import { removeSuppressionsOfEmployee } from '../operations/remove-suppressions-of-employee.js';

const CONCURRENCY = 8;
const DELIVERIES = 20;

interface DeletionContext {
  readonly ports: Ports;
  recordsOfInstitution(institutionId: string): Pick<OrganizationRecords, 'hasEmployee'>;
}

/** A deleted employee takes its suppression rules along (decisions: Import). */
export function employeeDeletedConsumer(context: DeletionContext): ConsumeOptions {
  return {
    stream: streams.events.name,
    durable: 'reviews-employee-deleted',
    filterSubject: 'stechuhr.events.*.records.employee.deleted',
    concurrency: CONCURRENCY,
    deadLetter: 'reviews',
    maxAttempts: DELIVERIES,
    handler: (message) => onEmployeeDeleted(context, message),
  };
}

async function onEmployeeDeleted({ ports, recordsOfInstitution }: DeletionContext, message: BusMessage): Promise<void> {
  const parsed = cloudEventSchema.safeParse(message.json());
  if (!parsed.success) throw new AppError('invalid', 'The message is no event of ours.', { cause: parsed.error });
  const { institutionid: institutionId, data, time } = parsed.data;
  const records = recordsOfInstitution(institutionId);
  await removeSuppressionsOfEmployee({ ...ports, records }, { institutionId }, { employeeId: data.id, deletedAt: new Date(time) });
}
