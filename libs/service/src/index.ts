export { startAdminServer, type AdminServer, type AdminServerOptions, type ReadinessCheck } from './admin-server.js';
export { ConfigError, loadConfig } from './config.js';
export { callUnary, openBidi, readStream, type BidiCall, type StreamOptions, type UnaryOptions } from './grpc/calls.js';
export type { CallContext } from './grpc/call-context.js';
export { createGrpcClient, type ClientConstructor } from './grpc/client.js';
export { bidiStream, serverStream, unary } from './grpc/handlers.js';
export { startGrpcServer, type GrpcServer, type GrpcServerOptions, type ServedService } from './grpc/server.js';
export { createLogger, type Logger } from './logging.js';
export { runService, type RunningService } from './run-service.js';
