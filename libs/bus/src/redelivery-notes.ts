/**
 * Notes about messages that are handled again. They are kept outside of the process, because they tell whether it ended meanwhile. All methods throw
 * `unavailable` if the notes cannot be reached.
 */
export interface RedeliveryNotes {
  /**
   * Notes that a process is about to handle a message.
   * @param message a text that no other message has
   * @returns the earlier notes that were not removed: their processes ended while they handled the message
   */
  begin(message: string): Promise<Interruptions>;
  /** Notes that the process handles no other message meanwhile. */
  beginAlone(message: string): Promise<void>;
  /** Removes all notes about messages, because they were handled or have failed. */
  remove(messages: readonly string[]): Promise<void>;
}

/** How often a process ended while it handled a message. */
export interface Interruptions {
  /** Including those while it handled other messages as well. */
  readonly all: number;
  readonly alone: number;
}
