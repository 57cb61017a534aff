// Both suites need all services, and share them, because starting them takes as long as either suite. The second one ends a service and NATS.
import { afterAll } from '@jest/globals';
import { platform } from './platform.js';
import './openapi-client.js';
import './operations.js';

afterAll(() => platform.stop());
