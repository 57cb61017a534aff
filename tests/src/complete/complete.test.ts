// These suites share all services, because starting them takes as long as a suite. The first one measures memory, and the last two end services.
import { afterAll } from '@jest/globals';
import { platform } from './platform.js';
import './streaming.js';
import './openapi-client.js';
import './operations.js';
import './resilience.js';

afterAll(() => platform.stop());
