/**
 * What one record may hold. Its readers hold all of it in memory, a page of a list a thousand times: records are bounded where they come in,
 * by imports and live messages alike.
 */

/** Bytes of a line or message. */
export const MAX_LINE_BYTES = 1_048_576;
/** Elements of a list in a record: fields of a form, entitlements, edits, … */
export const MAX_LIST = 500;
/** Ids in a list: the projects or departments that an account may see. */
export const MAX_IDS = 10_000;
/** The first and last year in which anybody is hired, works or is absent: time between such dates is counted day by day. */
export const FIRST_YEAR = 1900;
export const LAST_YEAR = 2199;
/** The longest absence, ten years. */
export const MAX_ABSENCE_DAYS = 3660;
/** Custom fields of an employee, and bytes of all of them. */
export const MAX_CUSTOM_FIELDS = 100;
export const MAX_CUSTOM_BYTES = 16_384;
/** Bytes of all comments of a workday. */
export const MAX_COMMENT_BYTES = 65_536;
