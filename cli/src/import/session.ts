import { openOwnerCall, type OwnerCall, type SentLine } from './owner-call.js';
import type { FoundInImport, RejectedLine } from './result.js';
import { NamedRecords } from './named-records.js';
import type { Owner } from './routes.js';

/** One import command: a call to each owner that has lines. What it finds on the way goes where the command wants it. */
export interface ImportSession {
  /** A promise where the sender should wait, because the owner is slower. */
  send(owner: Owner, line: SentLine): Promise<void> | undefined;
  reject(line: RejectedLine): void;
  /** Accepted lines by kind, after everything accepted is visible and all else was found. */
  finish(): Promise<Readonly<Record<string, number>>>;
  close(): void;
}

/** How the lines of an import are taken. */
export interface ImportTerms {
  /** Whether lines are only validated, and nothing is written. */
  readonly isDry?: boolean;
  /** Whether fields that are unknown are rejected. */
  readonly strict?: boolean;
  /** Puts what a service says of fields into the words of the file. */
  readonly inWordsOfFile?: (text: string) => string;
}

export function openImport(
  addressOf: (owner: Owner) => string,
  { rejected, warnings }: FoundInImport,
  { isDry = false, strict = false, inWordsOfFile = (text) => text }: ImportTerms = {},
): ImportSession {
  const calls = new Map<Owner, OwnerCall>();
  // Of an import that writes nothing, other services cannot ask for the records that its lines store.
  const named = isDry ? new NamedRecords() : undefined;
  const callOf = (owner: Owner): OwnerCall => {
    let call = calls.get(owner);
    if (call === undefined) {
      call = openOwnerCall({
        ...{ owner, address: addressOf(owner), isDry, strict },
        onRejected(line) {
          if (owner === 'records') named?.forget(line);
          rejected.add({ ...line, reason: inWordsOfFile(line.reason) });
        },
        onWarning: (warning) => warnings.add({ ...warning, message: inWordsOfFile(warning.message) }),
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
      // The kinds of other owners refer to records, which have to exist when references are checked.
      const first = await calls.get('records')?.finish();
      const others = [...calls].filter(([owner]) => owner !== 'records');
      if (named !== undefined) await Promise.all(others.map(([, call]) => call.tell(named.records())));
      const verdicts = await Promise.all(others.map(([, call]) => call.finish()));
      return Object.assign({}, first, ...verdicts);
    },
    close() {
      for (const call of calls.values()) call.close();
    },
  };
}
