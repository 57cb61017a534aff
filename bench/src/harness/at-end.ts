const closers: (() => Promise<void>)[] = [];

/** Leaves something open for the cases that follow: it is closed after the last one, in the reverse order of opening. */
export function atEnd(close: () => Promise<void>): void {
  closers.push(close);
}

/** Closes everything that cases left open. */
export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}
