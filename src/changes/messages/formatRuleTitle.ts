import type { Localize } from '../../base/localize.ts';
import type { Operation } from '../model/operation.ts';
import { getRuleAction, isRuleWrite } from '../rules/ruleAction.ts';

/** What a title is about: one rule, named after its party and column, or one or several rules on a column. */
type TitleForm = 'named' | 'one' | 'several';

interface RuleTitle {
  /** For what is going to be done. */
  readonly imperative: (t: Localize, name: string) => string;
  /** For what was done. */
  readonly past: (t: Localize, name: string) => string;
}

/**
 * The titles by cause; rules that are changed for another cause, such as an import, are named after their datamodel.
 */
const titles = {
  save: {
    named: {
      imperative: (t, name) => t('Change the rule for {0}', name),
      past: (t, name) => t('Changed the rule for {0}', name),
    },
    several: {
      imperative: (t, name) => t('Change the rules on {0}', name),
      past: (t, name) => t('Changed the rules on {0}', name),
    },
  },
  create: {
    one: {
      imperative: (t, name) => t('Create a rule on {0}', name),
      past: (t, name) => t('Created a rule on {0}', name),
    },
    several: {
      imperative: (t, name) => t('Create rules on {0}', name),
      past: (t, name) => t('Created rules on {0}', name),
    },
  },
  duplicate: {
    named: {
      imperative: (t, name) => t('Duplicate the rule for {0}', name),
      past: (t, name) => t('Duplicated the rule for {0}', name),
    },
    one: {
      imperative: (t, name) => t('Duplicate a rule on {0}', name),
      past: (t, name) => t('Duplicated a rule on {0}', name),
    },
    several: {
      imperative: (t, name) => t('Duplicate rules on {0}', name),
      past: (t, name) => t('Duplicated rules on {0}', name),
    },
  },
  delete: {
    named: {
      imperative: (t, name) => t('Delete the rule for {0}', name),
      past: (t, name) => t('Deleted the rule for {0}', name),
    },
    several: {
      imperative: (t, name) => t('Delete the rules on {0}', name),
      past: (t, name) => t('Deleted the rules on {0}', name),
    },
  },
} satisfies Readonly<Record<string, { several: RuleTitle } & Partial<Record<TitleForm, RuleTitle>>>>;

/**
 * Returns the title of an operation that changes only rules: those of a column, or the rule of one party on a column,
 * since a title with the name of a group alone seems to be about the group. `undefined` for all other operations.
 */
export function formatRuleTitle(
  t: Localize,
  operation: Operation,
  tense: keyof RuleTitle,
): string | undefined {
  const name = formatRuleName(t, operation);
  const { cause } = operation;
  if (name === undefined || !hasTitle(cause)) {
    return undefined;
  }
  const forms: Partial<Record<TitleForm, RuleTitle>> & { several: RuleTitle } = titles[cause];
  const isNamed = getColumnOfRule(operation.subject) !== undefined;
  const form = isNamed ? 'named' : countNewRules(operation) === 1 ? 'one' : 'several';
  return (forms[form] ?? forms.several)[tense](t, name);
}

/** Returns the name in the title of an operation that changes only rules; see {@link formatRuleTitle}. */
export function formatRuleName(t: Localize, { cause, subject, writes }: Operation): string | undefined {
  if (writes.length === 0 || !writes.every(isRuleWrite) || !hasTitle(cause)) {
    return undefined;
  }
  const column = getColumnOfRule(subject);
  return column === undefined ? subject.name : t('{0} on {1}', subject.name, column);
}

const hasTitle = (cause: string): cause is keyof typeof titles => Object.hasOwn(titles, cause);

/** Returns the column that a single rule is on: the last of its containers, after the datamodel or cube set. */
function getColumnOfRule({ within }: Operation['subject']): string | undefined {
  const container = within.slice(1).at(-1);
  return container?.includes('.') === true ? container : undefined;
}

const countNewRules = ({ writes }: Operation): number =>
  writes
    .filter((write) => getRuleAction(write) === 'create')
    .reduce((count, { body }) => count + (Array.isArray(body) ? body.length : 0), 0);
