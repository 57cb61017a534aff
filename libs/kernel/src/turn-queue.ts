/** Items that wait by key, for example by institution. The keys take turns; within a key, items keep their order. */
export class TurnQueue<T> {
  /** The key whose turn is next is first. */
  private readonly lines = new Map<string, Line<T>>();
  private waiting = 0;

  get size(): number {
    return this.waiting;
  }

  add(key: string, item: T): void {
    const line = this.lines.get(key);
    if (line === undefined) this.lines.set(key, { items: [item], taken: 0 });
    else line.items.push(item);
    this.waiting += 1;
  }

  /** Removes the next items, one of each key in turn. */
  take(limit: number): T[] {
    const taken: T[] = [];
    if (limit <= 0) return taken;
    // A key that is set again comes up again in the same iteration, behind the others.
    for (const [key, line] of this.lines) {
      taken.push(...line.items.slice(line.taken, line.taken + 1));
      this.lines.delete(key);
      if (advance(line)) this.lines.set(key, line);
      if (taken.length === limit) break;
    }
    this.waiting -= taken.length;
    return taken;
  }

  clear(): void {
    this.lines.clear();
    this.waiting = 0;
  }
}

interface Line<T> {
  items: T[];
  /** How many of them were taken: removing each from the front of a long array would take long. */
  taken: number;
}

const KEPT_TAKEN = 1_000;

/** Marks the next item as taken. @returns whether there are more */
function advance<T>(line: Line<T>): boolean {
  line.taken += 1;
  if (line.taken >= KEPT_TAKEN) {
    line.items = line.items.slice(line.taken);
    line.taken = 0;
  }
  return line.taken < line.items.length;
}
