/** Largest gRPC message in bytes, both directions. Streams pack about 64 KiB into a message; this leaves room for one very long record. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
