import { z } from 'zod';
import { grpcRights } from './grpc-rights.js';

/**
 * The methods that services of other teams may be allowed to call: read-only methods that `records` answers without calling other services,
 * where a grant would be needed.
 */
export const openMethods = [
  'stechuhr.records.v1.RecordsService/GetInstitution',
  'stechuhr.records.v1.RecordsService/ListDepartments',
  'stechuhr.records.v1.RecordsService/ListProjects',
  'stechuhr.records.v1.RecordsService/ListEmployees',
  'stechuhr.records.v1.RecordsService/ListEntitlements',
  'stechuhr.records.v1.RecordsService/ReadTimeRecords',
  'stechuhr.records.v1.RecordsService/ReadProjectDay',
] as const;

const ours = new Set<string>(Object.values(grpcRights).flatMap((methods) => Object.values(methods).flat()));

/** A service of another team that may call over gRPC in an installation (`mtls.clients` of the chart). */
export const grpcClientSchema = z.strictObject({
  /** The common name of its certificate. */
  name: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'has to be small letters, digits and hyphens')
    .refine((name) => !ours.has(name), 'is the name of a service of the platform'),
  methods: z.array(z.enum(openMethods)).min(1),
  /** The institutions for which it may call; all if omitted. */
  institutions: z
    .array(z.string().regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'has to be the id of an institution, a UUID in small letters'))
    .min(1)
    .optional(),
});

export type GrpcClient = z.output<typeof grpcClientSchema>;
