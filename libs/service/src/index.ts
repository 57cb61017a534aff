export { startAdminServer, type AdminServer, type AdminServerOptions, type ReadinessCheck } from './admin-server.js';
export { ConfigError, loadConfig } from './config.js';
export { hasLeft, type CallContext } from './grpc/call-context.js';
export { checkReachable, connectAhead, createGrpcClient, type ClientConstructor, type GrpcClientOptions } from './grpc/client.js';
export { bidiStream, serverStream, unary } from './grpc/handlers.js';
export { inBatchesBySize } from './grpc/messages.js';
export { startGrpcServer, type GrpcServer, type GrpcServerOptions, type ServedService } from './grpc/server.js';
export { isInterrupted, isUnreached } from './grpc/status.js';
export { openBidi, readStream, RUN_STALL_MS, type BidiCall, type StreamOptions } from './grpc/stream-calls.js';
export { callUnary, type UnaryOptions } from './grpc/unary-calls.js';
export { releasePort } from './held-ports.js';
export { nameRoute } from './http-route.js';
export { createLogger, withoutRedaction, type Logger } from './logging.js';
export { runService, type RunningService, type ServiceProgram } from './run-service.js';
export { flushTelemetry } from './telemetry-handle.js';
export { startService, type Running, type ServiceOptions, type StartedService } from './start-service.js';
export {
  addressVariable,
  drainVariables,
  processOptions,
  processVariables,
  serverOptions,
  serviceVariables,
  type ProcessOptions,
  type ServerOptions,
} from './variables.js';
