export { runCommandLine, UsageError, wholeNumber, type OptionValues } from './command-line.js';
export { cacheFolder } from './environment.js';
export {
  prefetch,
  startInfra,
  startMongo,
  startNats,
  startRedis,
  startS3,
  startSecantusDb,
  type Infra,
  type LoneServer,
  type StartOptions,
} from './infra.js';
export { withProgress, type Log } from './log.js';
export type { S3Address } from './parts/s3.js';
export { freePort } from './process/free-port.js';
export { Home, HomeInUse, sweepHomesIn, sweepTemporaryHomes } from './process/home.js';
export { machineTimeout } from './process/machine-timeout.js';
export { startProcess, type ManagedProcess, type ProcessExit, type ProcessSpec } from './process/managed-process.js';
export { MissingProgram, runCommand } from './process/run-command.js';
export { waitUntil, type WaitOptions } from './process/wait-until.js';
export { runProgram, type Program } from './providers/program.js';
export type { PartName } from './providers/provider.js';
export type { Server } from './server.js';
export { standInFingerprint } from './fetch/mongo-stand-in.js';
export type { JavaGenerator } from './fetch/java-generator.js';
export type { PythonCommand } from './fetch/python-tool.js';
export type { GoModule } from './fetch/go-module.js';
export {
  goModuleFile,
  goModuleFolder,
  certManagerModule,
  kedaModule,
  kubernetesVersion,
  provideJavaGenerator,
  providePrometheus,
  providePythonGenerator,
  provideSchemathesis,
  provideTool,
  type ToolName,
} from './tools.js';
