/** Thrown while records of several employees are read, if they are too large to be read together. */
export class SliceTooLarge extends Error {
  override readonly name = 'SliceTooLarge';
}

/** Returns the result of a read; undefined if the slice was too large. */
export async function unlessTooLarge<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (caught) {
    if (caught instanceof SliceTooLarge) return undefined;
    throw caught;
  }
}
