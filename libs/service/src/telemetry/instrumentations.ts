import type { Instrumentation } from '@opentelemetry/instrumentation';
import { GrpcInstrumentation } from '@opentelemetry/instrumentation-grpc';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { IORedisInstrumentation } from '@opentelemetry/instrumentation-ioredis';
import { MongoDBInstrumentation } from '@opentelemetry/instrumentation-mongodb';
import { RuntimeNodeInstrumentation } from '@opentelemetry/instrumentation-runtime-node';

// Probes and scrapes arrive every few seconds and are of no interest.
const OPERATORS_PATHS = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * The instrumentations for spans and metrics. No header, argument or filter value is recorded, since they may contain secrets or personal data.
 * `redactingProcessor` removes what else may contain them.
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
