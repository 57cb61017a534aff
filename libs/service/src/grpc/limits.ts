/**
 * Maximum size of a gRPC message in both directions, in bytes. Streams pack about 64 KiB into a message; the rest leaves room for a single
 * very large record.
 */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
