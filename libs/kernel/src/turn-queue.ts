import { Fifo } from './fifo.js';

/** Items that wait by key, for example by institution. The keys take turns; within a key, items keep their order. */
export class TurnQueue<T> {
  private readonly lines = new Map<string, Fifo<T>>();
  /** The keys with items; the key whose turn it is is first. */
  private turns = new Fifo<string>();
  private waiting = 0;

  get size(): number {
    return this.waiting;
  }

  add(key: string, item: T): void {
    let line = this.lines.get(key);
    if (line === undefined) {
      line = new Fifo();
      this.lines.set(key, line);
      this.turns.add(key);
    }
    line.add(item);
    this.waiting += 1;
  }

  /** Removes the next items, one of each key in turn. */
  take(limit: number): T[] {
    const taken: T[] = [];
    while (taken.length < limit) {
      const key = this.turns.shift();
      const line = key === undefined ? undefined : this.lines.get(key);
      if (key === undefined || line === undefined) break;
      const item = line.shift();
      if (item !== undefined) taken.push(item);
      this.waiting -= 1;
      if (line.size > 0) this.turns.add(key);
      else this.lines.delete(key);
    }
    return taken;
  }

  clear(): void {
    this.lines.clear();
    this.turns = new Fifo();
    this.waiting = 0;
  }
}
