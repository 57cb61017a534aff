import { setImmediate } from 'node:timers/promises';

/** How long work goes on before the event loop gets a turn: what is all available would never yield. */
const TURN_MS = 10;

/** Lets others work between the pieces of something long. */
export class Turns {
  #end = performance.now() + TURN_MS;

  /** To be asked after each piece: whether `next` is due. */
  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  /** Gives the event loop its turn. */
  async next(): Promise<void> {
    await setImmediate();
    this.#end = performance.now() + TURN_MS;
  }
}
