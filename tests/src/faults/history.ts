/** What a client knows about a write: it was done, it was refused (nothing may have changed), or nobody can say. */
export type Told = 'acknowledged' | 'refused' | 'unknown';

/** What may be asked of a write later. */
export type Kind = 'employee' | 'project' | 'rule' | 'suppression' | 'task' | 'autofill' | 'photo';

/** One write of a client. Writes of one key are made by one client, one after the other. */
export interface Write {
  readonly kind: Kind;
  /** What the client knows the record by, before the platform has given it an id. */
  readonly key: string;
  /** What is there after it; null after a deletion. */
  readonly value: string | null;
  readonly told: Told;
  /** The record's id, where the client knows it. */
  readonly id?: string | undefined;
}

/** One answer of the API. */
export interface Answered {
  readonly client: string;
  /** 0 where the connection broke. */
  readonly status: number;
  readonly ms: number;
  /** What a failure says. */
  readonly text?: string;
}

/** What clients were told in the course of a scenario. */
export class History {
  readonly writes: Write[] = [];
  readonly answers: Answered[] = [];
  /** Answers that looked complete and were not what they should have been. */
  readonly wrong: string[] = [];
  /** Words that stand in records of people who were deleted, and the ids of these. */
  readonly deletedPeople: { readonly id: string; readonly word: string }[] = [];

  write(write: Write): void {
    this.writes.push(write);
  }

  /** Whether a client may go on with this record: after an unknown outcome the write may still be on its way. */
  isSure(kind: Kind, key: string): boolean {
    return !this.writes.some((write) => write.kind === kind && write.key === key && write.told === 'unknown');
  }
}
