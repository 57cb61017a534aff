/**
 * Limits for one record. Services hold whole records in memory, up to a thousand for one page of a list; so records are limited where they
 * enter the platform, both in imports and in live messages.
 */

/** Maximum size of a line or message, in bytes. */
export const MAX_LINE_BYTES = 1_048_576;
/** Maximum number of elements of a list in a record: fields of a form, entitlements, edits, … */
export const MAX_LIST = 500;
/** Maximum number of ids in a list: the projects or departments that an account may see. */
export const MAX_IDS = 10_000;
/** The range of years for employment, work and absences: time between such dates is counted day by day. */
export const FIRST_YEAR = 1900;
export const LAST_YEAR = 2199;
/** Maximum length of an absence: ten years. */
export const MAX_ABSENCE_DAYS = 3660;
/** Maximum number of custom fields of an employee, and their maximum total size in bytes. */
export const MAX_CUSTOM_FIELDS = 100;
export const MAX_CUSTOM_BYTES = 16_384;
/** Maximum total size of all comments of a workday, in bytes. */
export const MAX_COMMENT_BYTES = 65_536;
