import type { Catalog } from '../../sql/language.ts';
import { CatalogNames } from '../catalogNames.ts';
import { readArray, isObject, type UnknownObject } from '../readRules.ts';
import { getLiveExclusionSupport, type LiveExclusionSupport } from '../liveExclusion.ts';
import { lintContent, lintLiveRule } from './contentLints.ts';
import type { KnownValues } from '../values/knownValues.ts';
import type { RuleFinding } from './finding.ts';
import { lintRuleColumn } from './columnLints.ts';
import { lintRuleSet } from './setLints.ts';
import { lintShares } from './shareLints.ts';
import { lintSpellings } from './spellingLints.ts';

/**
 * Finds problems in rules (decisions.md, "Stable interfaces"), in the order of the list. Never throws, whatever the
 * list contains. Ignores entries that are not objects: the JSON schema of the document reports those.
 * @param rules all rules of one or several datamodels: missing default rules and duplicates can only be found among all
 *   rules
 * @param catalog the tables and columns of the datamodel; without it names and types are not checked
 * @param knownValues the values of the columns that are known; without them spellings are not checked
 */
export function lintRules(
  rules: readonly unknown[],
  catalog?: Catalog,
  knownValues?: KnownValues,
): readonly RuleFinding[] {
  const names = catalog === undefined ? undefined : new CatalogNames(catalog);
  const indexedRules = readArray(rules).flatMap((rule, index) => (isObject(rule) ? [{ rule, index }] : []));
  const valuesWithRules = knownValues?.withRules(readArray(rules));
  const exclusionSupport = detectExclusionSupport(indexedRules.map(({ rule }) => rule));
  const ruleFindings = indexedRules.flatMap(({ rule, index }) => [
    ...lintContent(rule, index),
    ...lintShares(rule, index),
    ...(names === undefined ? [] : lintRuleColumn(rule, index, names)),
    ...lintLiveRule(rule, index, exclusionSupport),
    ...(valuesWithRules === undefined ? [] : lintSpellings(rule, index, valuesWithRules)),
  ]);
  // A column that does not exist needs no default rule. Its name must be corrected first, which may be all that is
  // wrong.
  const indexesWithUnknownName = new Set(
    ruleFindings
      .filter(({ code }) => code === 'unknown-table' || code === 'unknown-column')
      .map(({ index }) => index),
  );
  const setFindings = lintRuleSet(indexedRules).filter(
    ({ code, index }) => code !== 'no-default-rule' || !indexesWithUnknownName.has(index),
  );
  return [...ruleFindings, ...setFindings].sort((a, b) => a.index - b.index);
}

/**
 * Detects from the rules whether the server supports live rules that hide values. Ignores `exclusionary: true`, which
 * the user may have just written.
 */
const detectExclusionSupport = (rules: readonly UnknownObject[]): LiveExclusionSupport =>
  getLiveExclusionSupport(
    rules.map(({ exclusionary, ...rule }) => (exclusionary === true ? rule : { ...rule, exclusionary })),
  );
