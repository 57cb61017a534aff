/** The due date of documents that are not due. With it, a single comparison decides whether a document is due. */
export const NEVER = new Date('9999-12-31T00:00:00Z');
