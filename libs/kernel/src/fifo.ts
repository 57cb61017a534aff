/** Items in the order in which they were added. Taking the first one takes the same time however many there are, unlike with an array, a `Map` or a `Set`. */
export class Fifo<T> {
  private items: (T | undefined)[] = [];
  /** Where the first item is; what was before it was taken. */
  private start = 0;

  get size(): number {
    return this.items.length - this.start;
  }

  get first(): T | undefined {
    return this.items[this.start];
  }

  add(item: T): void {
    this.items.push(item);
  }

  /** Removes the first item. */
  shift(): T | undefined {
    if (this.size === 0) return undefined;
    const item = this.items[this.start];
    this.items[this.start] = undefined;
    this.start += 1;
    if (this.start >= MIN_TAKEN && this.start > this.size) {
      this.items = this.items.slice(this.start);
      this.start = 0;
    }
    return item;
  }
}

/** From how many taken items on their places are freed, once they are the most: so each item is moved about once. */
const MIN_TAKEN = 32;
