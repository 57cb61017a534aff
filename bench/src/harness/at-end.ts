const closers: (() => Promise<void>)[] = [];

/** Registers a function that is called after the last case, for resources that several cases share. They are closed in reverse order. */
export function atEnd(close: () => Promise<void>): void {
  closers.push(close);
}

/** Closes all registered resources. */
export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}
