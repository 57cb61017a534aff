export { AppError, type AppErrorCode, type FieldErrors } from './app-error.js';
export { attachment } from './attachment.js';
export { systemClock, type Clock } from './clock.js';
export { fieldsIn, MAX_REMARK, type Fields, type IntegerBounds } from './fields.js';
export { isUuid, newId, parseUuid, uuidV5 } from './ids.js';
export type { Logger } from './logger.js';
export { PAGE_SIZE, pageOf, type Page, type PageRequest } from './pages.js';
export { stockFields } from './stock-fields.js';
