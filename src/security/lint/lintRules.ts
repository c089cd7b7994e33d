import type { Catalog } from '../../sql/language.ts';
import { CatalogNames } from '../catalogNames.ts';
import { toArray, isObject, type UnknownObject } from '../readRule.ts';
import { getLiveExclusionSupport, type LiveExclusionSupport } from '../liveExclusion.ts';
import { lintContent, lintLiveRule } from './contentLints.ts';
import type { RuleLint } from './finding.ts';
import { lintNames } from './nameLints.ts';
import { lintRuleSet } from './setLints.ts';
import { lintShares } from './shareLints.ts';

/**
 * Problems in rules (decisions.md, "Stable interfaces"), in order of the list. Never throws, whatever the list
 * contains; entries that are not objects are left to the schema of the document.
 * @param rules all rules of a datamodel, or of several: `no-default-rule` and `duplicate-rule` compare them
 * @param catalog the tables and columns of the datamodel; without it names and types are not checked
 */
export function lintRules(rules: readonly unknown[], catalog?: Catalog): readonly RuleLint[] {
  const names = catalog === undefined ? undefined : new CatalogNames(catalog);
  const objects = toArray(rules).flatMap((rule, index) => (isObject(rule) ? [{ rule, index }] : []));
  const exclusion = detectExclusion(objects.map(({ rule }) => rule));
  const ofEach = objects.flatMap(({ rule, index }) => [
    ...lintContent(rule, index),
    ...lintShares(rule, index),
    ...(names === undefined ? [] : lintNames(rule, index, names)),
    ...lintLiveRule(rule, index, exclusion),
  ]);
  return [...ofEach, ...lintRuleSet(objects)].sort((a, b) => a.index - b.index);
}

/** Support as shown by the rules without the flags that are set: those are under test, and may come from a user. */
const detectExclusion = (rules: readonly UnknownObject[]): LiveExclusionSupport =>
  getLiveExclusionSupport(
    rules.map(({ exclusionary, ...rule }) => (exclusionary === true ? rule : { ...rule, exclusionary })),
  );
