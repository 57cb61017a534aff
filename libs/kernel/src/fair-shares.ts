/** A limited amount of something, for example bytes of memory, of which keys hold shares. */
export interface FairShares {
  /** Opens an empty share of a key. A key may hold several. */
  open(key: string): Share;
}

/** A part of the amount. */
export interface Share {
  /**
   * Adds to the share, if at least as much is free as the key already holds: so there is always a part for other keys, and nobody waits.
   * @returns whether it was added; nothing is added after the share was released
   */
  add(amount: number): boolean;
  /** Gives everything back. */
  release(): void;
}

/** Creates shares of an amount. */
export function createFairShares(total: number): FairShares {
  const held = new Map<string, number>();
  let free = total;
  const change = (key: string, by: number): void => {
    free -= by;
    const own = (held.get(key) ?? 0) + by;
    if (own === 0) held.delete(key);
    else held.set(key, own);
  };
  return {
    open(key) {
      let own = 0;
      let isReleased = false;
      return {
        add(amount) {
          if (isReleased || amount > free || (held.get(key) ?? 0) > free) return false;
          change(key, amount);
          own += amount;
          return true;
        },
        release() {
          isReleased = true;
          change(key, -own);
          own = 0;
        },
      };
    },
  };
}
