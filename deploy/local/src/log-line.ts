/** The address that a service has logged. */
export interface Ready {
  /** `host:port`; null if it has no gRPC server. */
  readonly grpc: string | null;
  readonly admin: string;
}

/** The information in a service's log line that the starter needs. */
export type LogLine = { readonly ready: Ready } | { readonly problem: string } | undefined;

/** Parses a JSON log line: the one that says "ready", or an error; all others are for the log file only. */
export function readLogLine(line: string): LogLine {
  const fields = parse(line);
  if (fields?.['msg'] === 'ready') {
    const { grpc, admin } = fields;
    return { ready: { grpc: typeof grpc === 'string' ? grpc : null, admin: typeof admin === 'string' ? admin : '' } };
  }
  if (fields?.['level'] !== 'error' && fields?.['level'] !== 'fatal') return undefined;
  const cause = messageOf(fields['err']) ?? messageOf(fields['error']);
  return { problem: [fields['msg'], cause].filter(Boolean).join(': ') };
}

function messageOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'message' in error ? error.message : undefined;
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
