import type { NodeSDKConfiguration } from '@opentelemetry/sdk-node';
import { GrpcInstrumentation } from '@opentelemetry/instrumentation-grpc';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { IORedisInstrumentation } from '@opentelemetry/instrumentation-ioredis';
import { MongoDBInstrumentation } from '@opentelemetry/instrumentation-mongodb';
import { RuntimeNodeInstrumentation } from '@opentelemetry/instrumentation-runtime-node';

// Probes and scrapes come every few seconds and are of no interest.
const OPERATORS_PATHS = new Set(['/healthz', '/readyz', '/metrics']);

// What signs a presigned address of S3, version 2 and 4.
const SECRET_PARAMETERS = ['Signature', 'AWSAccessKeyId', 'X-Amz-Signature', 'X-Amz-Credential', 'X-Amz-Security-Token', 'token'];

// A client that mistakes the path for the header: tokens of the API start like this.
const TOKEN = /stu_[0-9A-Za-z]+/g;

/** Where spans and metrics come from. No header, argument or filter value is recorded: they may be secrets or personal data. */
export function createInstrumentations(): NodeSDKConfiguration['instrumentations'] {
  return [
    new HttpInstrumentation({
      ignoreIncomingRequestHook: ({ url }) => OPERATORS_PATHS.has(url?.split('?')[0] ?? ''),
      startIncomingSpanHook: ({ url = '' }) => ({ 'url.path': url.split('?', 1).join().replaceAll(TOKEN, 'stu_REDACTED') }),
      redactedQueryParams: SECRET_PARAMETERS,
      redactedQueryParamsServer: SECRET_PARAMETERS,
    }),
    new GrpcInstrumentation({ ignoreGrpcMethods: ['Check', 'Watch', 'ServerReflectionInfo'] }),
    new MongoDBInstrumentation({ dbStatementSerializer: (command) => Object.keys(command)[0] ?? '' }),
    new IORedisInstrumentation({ dbStatementSerializer: (command) => command }),
    new RuntimeNodeInstrumentation(),
  ];
}
