import type { Report } from '../report.js';
import { cleanText } from './clean-text.js';

/** Every text of a report that people wrote, cleaned; without pictures. */
export function* textsOf(report: Report): Generator<string, void, undefined> {
  const waiting: unknown[] = [report];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value === 'string') {
      if (!value.startsWith('data:')) yield cleanText(value);
    } else if (value !== null && typeof value === 'object') {
      waiting.push(...Object.values(value).filter((part) => part !== undefined));
    }
  }
}
