import { createLineJudge, findUnresolved, type ImportOptions, type Ingest, type ReferenceLookup } from '@stechuhr/ingest';
import { accepted } from '@stechuhr/ingest/kinds';
import { settingsKind, type SettingsContent } from '../domain/settings-kind.js';
import type { Ports } from './ports.js';

export interface SettingsNeeds extends Pick<Ports, 'settings'> {
  readonly references: ReferenceLookup;
}

const judge = createLineJudge({ service: 'reviews', kinds: { review_settings: settingsKind } });

/** How lines and live objects of settings are validated and written: they replace the settings of their institution. */
export function settingsIngest({ settings, references }: SettingsNeeds): Ingest<SettingsContent, 'review_settings'> {
  return {
    judge,
    async apply(changes) {
      const unresolved = await findUnresolved(references, settingsKind, changes);
      const write = async (change: (typeof changes)[number]) => {
        const missing = unresolved.get(change);
        if (missing === undefined) await settings.write(change, change.content?.fields, change.sequence);
        return missing ?? accepted;
      };
      return Promise.all(changes.map(write));
    },
  };
}

/** One import: what it takes. */
export function settingsImport(needs: SettingsNeeds): ImportOptions<SettingsContent, 'review_settings'> {
  return { ...settingsIngest(needs), kinds: [settingsKind] };
}
