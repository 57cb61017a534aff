import {
  allAccepted,
  applyToOwnedKinds,
  createLineJudge,
  type ImportedReferences,
  type ImportOptions,
  type OwnedKind,
} from '@stechuhr/ingest';
import type { Change } from '@stechuhr/ingest/kinds';
import { settingsKind, type SettingsContent } from '../domain/settings-kind.js';
import { removeSettings } from './forget-deleted.js';
import type { Ports, SettingsNeeds, Tenant } from './ports.js';

const judge = createLineJudge({ service: 'reviews', kinds: { review_settings: settingsKind } });

/** Returns how lines and live objects with settings are validated and written. They replace the settings of their institution. */
export function settingsIngest({ settings, references }: SettingsNeeds): ImportOptions<SettingsContent, 'review_settings'> {
  const forget = async (deleted: readonly Tenant[]) => {
    for (const institution of deleted) await removeSettings({ settings, references }, institution);
  };
  return { judge, apply: applyToOwnedKinds({ kinds: [ownedSettings(settings)], references, forget }), kinds: [settingsKind] };
}

/** Like `settingsIngest`, but writes nothing. */
export function settingsCheck({ settings, references }: SettingsNeeds, imported: ImportedReferences): ReturnType<typeof settingsIngest> {
  const unwritten = { ...settings, write: () => Promise.resolve(), removeUnchanged: () => Promise.resolve(true) };
  return settingsIngest({ settings: unwritten, references: imported.over(references) });
}

/** Each write checks its sequence itself; settings that were reset to the defaults keep their sequence. */
function ownedSettings(settings: Ports['settings']): OwnedKind<SettingsContent> {
  return {
    kinds: [settingsKind],
    begin() {
      const planned: Change<SettingsContent>[] = [];
      const plan = (change: Change<SettingsContent>) => void planned.push(change);
      return Promise.resolve({
        stored: ({ institutionId }: Change) => ({ institutionId, sequence: undefined }),
        put: plan,
        remove: plan,
        async save() {
          await Promise.all(planned.map((change) => settings.write(change, change.content?.fields, change.sequence)));
          return allAccepted(planned);
        },
      });
    },
  };
}
