import type { Catalog } from '../../sql/language.ts';
import { CatalogNames } from '../catalogNames.ts';
import { asList, isObject, type UnknownObject } from '../readRule.ts';
import { liveExclusion, type LiveExclusion } from '../liveExclusion.ts';
import { contentLints, liveLints } from './contentLints.ts';
import type { RuleLint } from './finding.ts';
import { nameLints } from './nameLints.ts';
import { setLints } from './setLints.ts';
import { shareLints } from './shareLints.ts';

/**
 * What is wrong with rules (design.md, section 13), in order of the list. Whatever stands in the list, nothing throws;
 * what is no object at all is left to the schema of the document.
 * @param rules all rules of a datamodel, or of several: `no-default-rule` and `duplicate-rule` look at them together
 * @param catalog the tables and columns of the datamodel; without it names and types are not looked at
 */
export function lintRules(rules: readonly unknown[], catalog?: Catalog): readonly RuleLint[] {
  const names = catalog === undefined ? undefined : new CatalogNames(catalog);
  const objects = asList(rules).flatMap((rule, index) => (isObject(rule) ? [{ rule, index }] : []));
  const exclusion = shownExclusion(objects.map(({ rule }) => rule));
  const ofEach = objects.flatMap(({ rule, index }) => [
    ...contentLints(rule, index),
    ...shareLints(rule, index),
    ...(names === undefined ? [] : nameLints(rule, index, names)),
    ...liveLints(rule, index, exclusion),
  ]);
  return [...ofEach, ...setLints(objects)].sort((a, b) => a.index - b.index);
}

/** What the rules show without the flags that are set: those are what is looked at, and may be of a person. */
const shownExclusion = (rules: readonly UnknownObject[]): LiveExclusion =>
  liveExclusion(
    rules.map(({ exclusionary, ...rule }) => (exclusionary === true ? rule : { ...rule, exclusionary })),
  );
