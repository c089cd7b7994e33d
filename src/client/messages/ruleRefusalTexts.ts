import type { RuleRefusal } from '../httpError.ts';
import type { Localize } from '../../base/localize.ts';

/** Why the platform refused a request about data security rules, and what the user can do. */
export const ruleRefusalTexts: Readonly<
  Record<RuleRefusal, (t: Localize) => { readonly cause: string; readonly help: string }>
> = {
  'needs-build': (t) => ({
    cause: t('the datamodel has never been built or published'),
    help: t('Data security rules need a built or published datamodel. Build or publish it first.'),
  }),
  'invalid-default-rule': (t) => ({
    cause: t("the rule for everyone else isn't valid"),
    help: t("A column can have only one rule for everyone else, and that rule can't name a user or group."),
  }),
  'duplicate-party': (t) => ({
    cause: t('a user or group would have two rules on the column'),
    help: t('Change or delete the rule that the user or group already has.'),
  }),
  'unknown-party': (t) => ({
    cause: t("a user or group doesn't exist on this instance"),
    help: t('Remove it from the rule, or select one that exists.'),
  }),
  'default-rule-first': (t) => ({
    cause: t("the rule for everyone else can't be deleted before the other rules on the column"),
    help: t('Delete the other rules first.'),
  }),
};
