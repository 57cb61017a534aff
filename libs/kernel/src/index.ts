export { AppError, type AppErrorCode, type FieldErrors } from './app-error.js';
export { attachment } from './attachment.js';
export { systemClock, type Clock } from './clock.js';
export { isUuid, newId, parseUuid, uuidV5 } from './ids.js';
export { createLimiter, type Limiter } from './limiter.js';
export type { Logger } from './logger.js';
export { pageOf, type Page, type PageRequest } from './pages.js';
export { startPeriodic, type Periodic, type PeriodicOptions } from './periodic.js';
