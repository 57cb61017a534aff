import type { Instrumentation } from '@opentelemetry/instrumentation';
import { GrpcInstrumentation } from '@opentelemetry/instrumentation-grpc';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { IORedisInstrumentation } from '@opentelemetry/instrumentation-ioredis';
import { MongoDBInstrumentation } from '@opentelemetry/instrumentation-mongodb';
import { RuntimeNodeInstrumentation } from '@opentelemetry/instrumentation-runtime-node';

// Probes and scrapes are frequent and of no interest.
const OPERATORS_PATHS = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Creates the instrumentations that produce spans and metrics. Headers, arguments and filter values are not recorded, since they may be
 * secrets or personal data. `redactingProcessor` removes what remains.
 */
export function createInstrumentations(): Instrumentation[] {
  return [
    new HttpInstrumentation({
      ignoreIncomingRequestHook: ({ url }) => OPERATORS_PATHS.has(url?.split('?')[0] ?? ''),
    }),
    new GrpcInstrumentation({ ignoreGrpcMethods: ['Check', 'Watch', 'ServerReflectionInfo'] }),
    new MongoDBInstrumentation({ dbStatementSerializer: (command) => Object.keys(command)[0] ?? '' }),
    new IORedisInstrumentation({ dbStatementSerializer: (command) => command }),
    new RuntimeNodeInstrumentation(),
  ];
}
