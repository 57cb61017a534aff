import type { webhooksV1 } from '@stechuhr/contracts';
import type { Output } from '../output.js';

type ReplayedPage = Pick<webhooksV1.ReplayDeliveriesResponse, 'replayed' | 'next'>;

/**
 * Replays deliveries page by page. If a later page fails, says with which option the command continues there: a repeat from the beginning would send
 * delivered events once more.
 * @param replay replays the deliveries after a delivery, or from the beginning for null
 * @returns the number of events that are sent again
 */
export async function replayPages(
  replay: (after: string | null) => Promise<ReplayedPage>,
  first: string | null,
  output: Pick<Output, 'note'>,
): Promise<number> {
  let replayed = 0;
  let after = first;
  try {
    for (;;) {
      const page = await replay(after);
      replayed += page.replayed;
      if (page.next === undefined) return replayed;
      after = page.next;
    }
  } catch (caught) {
    if (after !== null && after !== first)
      output.note(`${String(replayed)} events are sent again, but not all. Repeat the command with --after ${after} to continue.`);
    throw caught;
  }
}
