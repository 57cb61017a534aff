import type { Content, Kind } from '@stechuhr/ingest/kinds';
import { judgeSettings } from './judge-settings.js';
import type { ReviewSettings } from './settings.js';

export type SettingsContent = Content<ReviewSettings>;

/** The settings of an institution, of which it has one; a deletion is a return to the defaults. */
export const settingsKind: Kind<SettingsContent> & { readonly name: 'review_settings' } = {
  name: 'review_settings',
  identity: 'one',
  judge(line) {
    const judged = judgeSettings(line);
    return 'settings' in judged ? { content: { fields: judged.settings, references: [] } } : judged;
  },
};
