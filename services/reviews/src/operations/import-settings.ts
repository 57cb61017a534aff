import { judgeLine, SETTINGS_KIND, type Refusal, type SettingsChange } from '../domain/settings-line.js';
import { missingReference, writeSettings, type SettingsContext } from './write-settings.js';

/** One line of an import as it was read. */
export interface ImportLine {
  readonly file: string;
  readonly line: number;
  readonly json: string;
}

export type ImportEvent =
  | { readonly kind: 'rejected'; readonly line: ImportLine; readonly refusal: Refusal }
  | { readonly kind: 'summary'; readonly accepted: Readonly<Record<string, number>>; readonly rejected: number };

interface Judged {
  readonly line: ImportLine;
  readonly change: SettingsChange;
}

/**
 * Takes lines in any order. One of an institution that is not there yet waits, with all later ones of it, until every line was read: its
 * own line may still be on the way to the records service. There are few of them, one for each institution as a rule.
 */
export async function* importSettings(
  context: SettingsContext,
  lines: AsyncIterable<ImportLine>,
): AsyncGenerator<ImportEvent, void, undefined> {
  const counts = { accepted: 0, rejected: 0 };
  const waiting = new Map<string, Judged[]>();
  const apply = async ({ line, change }: Judged, isLast: boolean): Promise<ImportEvent | undefined> => {
    const reason = await missingReference(context, change);
    if (reason === undefined) {
      await writeSettings(context, change);
      counts.accepted += 1;
      return undefined;
    }
    if (!isLast) {
      waiting.set(change.institutionId, [{ line, change }]);
      return undefined;
    }
    counts.rejected += 1;
    return { kind: 'rejected', line, refusal: { kind: SETTINGS_KIND, institutionId: change.institutionId, reason } };
  };
  for await (const line of lines) {
    if (line.json.trim() === '') continue;
    const judged = judgeLine(line.json);
    if ('refusal' in judged) {
      counts.rejected += 1;
      yield { kind: 'rejected', line, refusal: judged.refusal };
      continue;
    }
    const { change } = judged;
    const others = waiting.get(change.institutionId);
    if (others === undefined) await apply({ line, change }, false);
    else others.push({ line, change });
  }
  for (const judged of [...waiting.values()].flat()) {
    const event = await apply(judged, true);
    if (event !== undefined) yield event;
  }
  yield { kind: 'summary', accepted: counts.accepted > 0 ? { [SETTINGS_KIND]: counts.accepted } : {}, rejected: counts.rejected };
}
