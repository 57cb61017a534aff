export { startPlatform, type Platform, type PlatformOptions } from './platform.js';
export type { DemoAccess, RunFile } from './run-file.js';
export { imageArguments, memoryOptions, topology, type ServiceDefinition } from './topology.js';
