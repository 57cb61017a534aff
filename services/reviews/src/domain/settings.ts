import type { Check, Finder } from './check.js';
import { checks } from './checks/index.js';
import type { CustomOptions } from './options.js';

/** The configuration of an organization (docs/rules/reviews.md#settings). */
export interface ReviewSettings {
  /** The codes of the active checks; null means all. */
  readonly checks: readonly string[] | null;
  /** The customized options by code of the check. */
  readonly options: Readonly<Record<string, CustomOptions>>;
}

export const defaultSettings: ReviewSettings = { checks: null, options: {} };

/** An active check with the options of an organization. */
export interface ActiveCheck {
  readonly check: Check;
  /** Only the customized options. */
  readonly config: CustomOptions;
  readonly find: Finder;
}

/** Returns the active checks of an organization, in the order of the table. */
export function activeChecks(settings: ReviewSettings): readonly ActiveCheck[] {
  const options = new Map(Object.entries(settings.options));
  return checks
    .filter(({ code }) => settings.checks?.includes(code) ?? true)
    .map((check) => {
      const config = options.get(check.code) ?? {};
      return { check, config, find: check.finder(config) };
    });
}
