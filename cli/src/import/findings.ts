import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { newId } from '@stechuhr/kernel';
import { Failure } from '../failure.js';
import { owners } from './routes.js';

/** A message about a line. File and line are null if it concerns what is stored after the import. */
interface Finding {
  readonly file: string | null;
  readonly line: number | null;
  readonly kind: string | null;
}

/** A finding with its sort key, the position in the files. */
interface Placed {
  readonly file: number;
  readonly line: number;
  readonly json: string;
}

/** A sorted part of the temporary file. */
interface Run {
  readonly start: number;
  readonly end: number;
}

const CHARACTERS_A_RUN = 2 * 1024 * 1024;
const BYTES_A_READ = 64 * 1024;
const NEWLINE = 0x0a;
/** Stands for the kind of lines whose kind is missing or cannot be read. */
const NO_KIND = '?';

/**
 * Collects the messages of an import and returns them in the order of the lines, regardless of the order in which they arrive.
 *
 * Services may reject every line of a large file. Therefore only a few megabytes are kept in memory; the rest is written to a temporary file as
 * sorted runs, which are merged when they are read.
 */
export class Findings<T extends Finding> implements Iterable<T> {
  readonly #position: ReadonlyMap<string | null, number>;
  readonly #byKind = new Map<string, number>();
  readonly #charactersARun: number;
  readonly #runs: Run[] = [];
  #count = 0;
  #file: number | undefined;
  #recent: Placed[] = [];
  #characters = 0;

  /** @param files in the order of the command line */
  constructor(files: readonly string[], charactersARun = CHARACTERS_A_RUN) {
    // Findings without a file come last.
    this.#position = new Map<string | null, number>([...files.map((name, index) => [name, index] as const), [null, files.length]]);
    this.#charactersARun = charactersARun;
  }

  get count(): number {
    return this.#count;
  }

  get byKind(): ReadonlyMap<string, number> {
    return this.#byKind;
  }

  /** @throws Failure if the temporary file cannot be written */
  add(finding: T): void {
    const kind = finding.kind !== null && Object.hasOwn(owners, finding.kind) ? finding.kind : NO_KIND;
    this.#byKind.set(kind, (this.#byKind.get(kind) ?? 0) + 1);
    this.#count += 1;
    const json = JSON.stringify(finding);
    this.#recent.push({ file: this.#position.get(finding.file) ?? 0, line: finding.line ?? 0, json });
    this.#characters += json.length;
    if (this.#characters >= this.#charactersARun) this.#store();
  }

  /** Findings must not be added during iteration. */
  *[Symbol.iterator](): Generator<T> {
    const runs = [...this.#runs.map((run) => this.#read(run)), this.#recent.toSorted(byPlace).values()];
    for (const { json } of merged(runs)) yield JSON.parse(json) as T;
  }

  first(most: number): readonly T[] {
    const first: T[] = [];
    for (const finding of this) if (first.push(finding) === most) break;
    return first;
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
  }

  #store(): void {
    const text = this.#recent
      .sort(byPlace)
      .map(({ file, line, json }) => `${String(file)} ${String(line)} ${json}\n`)
      .join('');
    const start = this.#runs.at(-1)?.end ?? 0;
    try {
      this.#file ??= temporaryFile();
      const bytes = Buffer.from(text);
      for (let written = 0; written < bytes.length;)
        written += writeSync(this.#file, bytes, written, bytes.length - written, start + written);
      this.#runs.push({ start, end: start + bytes.length });
    } catch (caught) {
      const reason = caught instanceof Error ? caught.message : String(caught);
      throw new Failure(`The folder of temporary files, ${tmpdir()}, cannot be written to: ${reason}`, 1, caught);
    }
    this.#recent = [];
    this.#characters = 0;
  }

  *#read({ start, end }: Run): Generator<Placed> {
    let rest: Buffer = Buffer.alloc(0);
    for (let at = start; at < end;) {
      const block = Buffer.alloc(Math.min(BYTES_A_READ, end - at));
      at += readSync(this.#file ?? 0, block, 0, block.length, at);
      const bytes = Buffer.concat([rest, block]);
      let from = 0;
      for (let to = bytes.indexOf(NEWLINE); to >= 0; to = bytes.indexOf(NEWLINE, from)) {
        yield placedIn(bytes.toString('utf8', from, to));
        from = to + 1;
      }
      rest = bytes.subarray(from);
    }
  }
}

/** The file is unlinked right after it was opened, so it disappears with the process, however that ends. */
function temporaryFile(): number {
  const name = path.join(tmpdir(), `stechuhr-findings-${newId()}`);
  const file = openSync(name, 'wx+', 0o600);
  unlinkSync(name);
  return file;
}

function placedIn(text: string): Placed {
  const [file = '', line = ''] = text.split(' ', 2);
  return { file: Number(file), line: Number(line), json: text.slice(file.length + line.length + 2) };
}

function byPlace(one: Placed, other: Placed): number {
  return one.file - other.file || one.line - other.line;
}

/** Merges sorted iterators. For equal positions, the earlier iterator goes first. */
function* merged(iterators: readonly Iterator<Placed, unknown>[]): Generator<Placed> {
  const open = iterators.flatMap((rest) => {
    const { value: next, done } = rest.next();
    return done === true ? [] : [{ rest, next }];
  });
  while (open.length > 0) {
    const first = open.reduce((least, one) => (byPlace(one.next, least.next) < 0 ? one : least));
    yield first.next;
    const { value: next, done } = first.rest.next();
    if (done === true) open.splice(open.indexOf(first), 1);
    else first.next = next;
  }
}
