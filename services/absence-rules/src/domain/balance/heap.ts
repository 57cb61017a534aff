/** A binary heap: adding an item and removing the first one take logarithmic time. */
export class Heap<T> {
  readonly #items: T[] = [];

  constructor(private readonly isBefore: (a: T, b: T) => boolean) {}

  get first(): T | undefined {
    return this.#items[0];
  }

  add(item: T): void {
    const items = this.#items;
    let at = items.length;
    for (let above = (at - 1) >> 1; at > 0; above = (at - 1) >> 1) {
      const parent = items[above];
      if (parent === undefined || !this.isBefore(item, parent)) break;
      items[at] = parent;
      at = above;
    }
    items[at] = item;
  }

  dropFirst(): void {
    const items = this.#items;
    const last = items.pop();
    if (last === undefined || items.length === 0) return;
    let at = 0;
    for (;;) {
      const below = this.#earlierChild(at);
      const child = items[below];
      if (child === undefined || !this.isBefore(child, last)) break;
      items[at] = child;
      at = below;
    }
    items[at] = last;
  }

  #earlierChild(at: number): number {
    const [left, right] = [2 * at + 1, 2 * at + 2];
    const [first, second] = [this.#items[left], this.#items[right]];
    return first !== undefined && second !== undefined && this.isBefore(second, first) ? right : left;
  }
}
