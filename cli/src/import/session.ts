import { openOwnerCall, type OwnerCall, type SentLine } from './owner-call.js';
import type { FoundInImport, RejectedLine } from './result.js';
import { NamedRecords } from './named-records.js';
import type { Owner } from './routes.js';

/** One import command: a call to each service that has lines in it. Findings are passed on as they arrive. */
export interface ImportSession {
  /** @returns a promise if the sender should wait until the service has caught up */
  send(owner: Owner, line: SentLine): Promise<void> | undefined;
  reject(line: RejectedLine): void;
  /** @returns the accepted lines by kind, once everything accepted is visible and all findings were passed on */
  finish(): Promise<Readonly<Record<string, number>>>;
  close(): void;
}

/** Options of an import. */
export interface ImportTerms {
  /** Whether lines are only validated and nothing is written. */
  readonly isDry?: boolean;
  /** Whether unknown fields are rejected. */
  readonly strict?: boolean;
  /** Replaces the field names in a service's message about a line by the terms of the input file. */
  readonly toTermsOfFile?: (text: string) => string;
}

export function openImport(
  addressOf: (owner: Owner) => string,
  { rejected, warnings }: FoundInImport,
  { isDry = false, strict = false, toTermsOfFile = (text) => text }: ImportTerms = {},
): ImportSession {
  const calls = new Map<Owner, OwnerCall>();
  // In a dry run nothing is written, so other services cannot ask the records service for records from the same import.
  const named = isDry ? new NamedRecords() : undefined;
  const callOf = (owner: Owner): OwnerCall => {
    let call = calls.get(owner);
    if (call === undefined) {
      call = openOwnerCall({
        ...{ owner, address: addressOf(owner), isDry, strict },
        onRejected(line) {
          if (owner === 'records') named?.forget(line);
          rejected.add({ ...line, reason: toTermsOfFile(line.reason) });
        },
        onWarning(warning) {
          // A warning without a file is about what is stored, so its words are not those of columns.
          warnings.add(warning.file === null ? warning : { ...warning, message: toTermsOfFile(warning.message) });
        },
      });
      calls.set(owner, call);
    }
    return call;
  };
  return {
    send(owner, line) {
      if (owner === 'records') named?.note(line);
      return callOf(owner).add(line);
    },
    reject: (line) => rejected.add(line),
    async finish() {
      // Records go first: lines of other services refer to them, and references are checked.
      const first = await calls.get('records')?.finish();
      const others = [...calls].filter(([owner]) => owner !== 'records');
      if (named !== undefined) await Promise.all(others.map(([, call]) => call.sendRecords(named.records())));
      const verdicts = await Promise.all(others.map(([, call]) => call.finish()));
      return Object.assign({}, first, ...verdicts);
    },
    close() {
      for (const call of calls.values()) call.close();
    },
  };
}
