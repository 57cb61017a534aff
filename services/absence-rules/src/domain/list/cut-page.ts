import { compareRules, type Rule } from '../rule.js';
import { isInWindow, type PageWindow } from './place-counts.js';

/** The page of a window, from all rules at its places (others among them do no harm). */
export function cutPage(candidates: readonly Rule[], window: PageWindow, limit: number): readonly Rule[] {
  const inOrder = candidates.filter((rule) => isInWindow(rule, window)).sort(compareRules);
  return inOrder.slice(window.skip, window.skip + limit);
}
