// Three suites share one platform, because starting it takes longer than most of them. The first one counts spans and events of messages that
// the others send too.
import { afterAll } from '@jest/globals';
import { stopPlatform } from './platform.js';
import './telemetry.js';
import './calls.js';
import './async-exports.js';

// Behind the hooks of the suites, which close their connections first.
afterAll(stopPlatform);
