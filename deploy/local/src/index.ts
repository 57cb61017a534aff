export { startPlatform, type Platform, type PlatformOptions } from './platform.js';
export type { DemoAccess, RunFile } from './run-file.js';
export { topology, type ServiceDefinition } from './topology.js';
