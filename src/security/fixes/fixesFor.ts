import { livePrefix } from '../../contract/terms.ts';
import type { JsonPath } from '../../json/text/jsonNode.ts';
import type { PathEdit } from '../../json/text/pathEdit.ts';
import { closest } from '../../base/similarNames.ts';
import type { Catalog } from '../../sql/language.ts';
import type { RuleLint } from '../lint/finding.ts';
import { asList, isObject, isText, memberText, type UnknownObject } from '../readRule.ts';
import { defaultRuleBeside } from './defaultRule.ts';
import type { RuleFix, RuleFixCode } from './ruleFix.ts';

interface FixContext {
  readonly rules: readonly unknown[];
  readonly rule: UnknownObject;
  /** The place of the rule in the list. */
  readonly at: JsonPath;
  readonly catalog: Catalog | undefined;
}

/**
 * The ways to mend what a finding says, the best first; none where only a person can know.
 * @param rules the list that was linted, as it was then
 */
export function fixesFor(
  lint: Pick<RuleLint, 'index' | 'code' | 'path' | 'args'>,
  rules: readonly unknown[],
  catalog?: Catalog,
): readonly RuleFix[] {
  const rule = asList(rules)[lint.index];
  return isObject(rule) ? fixes(lint, { rules, rule, at: [lint.index], catalog }) : [];
}

function fixes(
  { code, path, args: [first = '', second = ''] }: Pick<RuleLint, 'code' | 'path' | 'args'>,
  context: FixContext,
): readonly RuleFix[] {
  const { rule, at } = context;
  const place = [...at, ...path];
  switch (code) {
    case 'all-members-false':
      return [preferred('set-all-members-null', [set(place, null)])];
    case 'members-required':
      return membersFixes(context);
    case 'ambiguous-empty':
      return emptyFixes(context);
    case 'default-has-party':
      return [preferred('remove-identifier', [{ op: 'remove', path: place }], [first])];
    case 'party-required':
      return partyFixes(context, path, second);
    case 'unknown-table':
      return closest(
        first,
        (context.catalog?.tables ?? []).map(({ name }) => name),
      ).map((name) => meant('use-table', [set(place, name)], [name]));
    case 'unknown-column':
      return closest(second, columnNames(context.catalog, first)).map((name) =>
        meant('use-column', [set(place, name)], [name]),
      );
    case 'datatype-mismatch':
      return [preferred('set-datatype', [set(place, first)], [first])];
    case 'live-flag':
      return [preferred('set-live', [set(place, true)])];
    case 'live-prefix':
      return isText(rule['fullname']) && rule['fullname'] !== livePrefix
        ? [preferred('add-prefix', [set(place, `${livePrefix}${rule['fullname']}`)], [rule['fullname']])]
        : [];
    case 'exclusionary-live':
      // It turns "all but these" into "only these", so nobody may take it unasked.
      return [meant('allow-listed-instead', [{ op: 'remove', path: place }])];
    case 'no-default-rule':
      return defaultFixes(context);
    case 'duplicate-rule':
      return [
        preferred(
          path.length === 0 ? 'remove-rule' : 'remove-party',
          [{ op: 'remove', path: place }],
          [first],
        ),
      ];
    case 'flag-not-boolean':
      return [true, false].map((value) => meant('set-flag', [set(place, value)], [first, String(value)]));
    case 'member-not-string':
      return stringFixes(context);
    case 'date-column':
      return [];
  }
}

const preferred = (code: RuleFixCode, edits: readonly PathEdit[], args: readonly string[] = []): RuleFix => ({
  code,
  args,
  isPreferred: true,
  changesMeaning: false,
  edits,
});

/** A fix that somebody has to choose, since it says who sees what. */
const meant = (code: RuleFixCode, edits: readonly PathEdit[], args: readonly string[] = []): RuleFix => ({
  code,
  args,
  isPreferred: false,
  changesMeaning: true,
  edits,
});

const set = (path: JsonPath, value: unknown): PathEdit => ({ op: 'set', path, value });

function emptyFixes({ at }: FixContext): readonly RuleFix[] {
  const allMembers = [...at, 'allMembers'];
  return [meant('make-nothing', [set(allMembers, false)]), meant('make-everything', [set(allMembers, true)])];
}

/** A single value where a list belongs becomes the list; else the rule says *Nothing* or *Everything*. */
function membersFixes({ rule, at }: FixContext): readonly RuleFix[] {
  const single = memberText(rule['members']);
  const members = [...at, 'members'];
  return [
    ...(single === undefined ? [] : [meant('make-list', [set(members, [single])], [single])]),
    ...emptyFixes({ rules: [], rule, at, catalog: undefined }).map((fix) => ({
      ...fix,
      edits: [set(members, []), ...fix.edits],
    })),
  ];
}

/** Keys that people write in place of the identifier's own. */
const mistakenKey = /^(?:party_?id|party|(?:user|group)_?id|_?id)$/i;

function partyFixes({ rule, at }: FixContext, path: JsonPath, key: string): readonly RuleFix[] {
  if (path.length === 1) {
    return [meant('make-default', [set([...at, 'shares'], [{ type: 'default' }])])];
  }
  const [, position = 0] = path;
  const share = asList(rule['shares'])[Number(position)];
  const place = [...at, 'shares', position];
  return Object.entries(isObject(share) ? share : {})
    .filter(([name, value]) => mistakenKey.test(name) && isText(value))
    .map(([name, value]) =>
      preferred(
        'use-identifier',
        [{ op: 'remove', path: [...place, name] }, set([...place, key], value)],
        [name, key],
      ),
    );
}

const columnNames = (catalog: Catalog | undefined, table: string): readonly string[] =>
  catalog?.tables.find(({ name }) => name === table)?.columns.map(({ name }) => name) ?? [];

/** *Nothing* for everybody else is "the recommended, safer default" (spec, "Kinds of rule"), so it comes first. */
function defaultFixes({ rule, rules }: FixContext): readonly RuleFix[] {
  const insert = (value: unknown): PathEdit => ({ op: 'insert', path: [rules.length], value });
  const args = [String(rule['table']), String(rule['column'])];
  return [
    { ...meant('add-default-nothing', [insert(defaultRuleBeside(rule, false))], args), isPreferred: true },
    meant('add-default-everything', [insert(defaultRuleBeside(rule, true))], args),
  ];
}

/** All members of the rule at once; what no text can stand for is taken out. */
function stringFixes({ rule, at }: FixContext): readonly RuleFix[] {
  const members = asList(rule['members']);
  const texts = members.map(memberText);
  const edits = members.flatMap((member, position): PathEdit[] => {
    const path = [...at, 'members', position];
    const text = texts[position];
    if (typeof member === 'string') {
      return [];
    }
    return text === undefined ? [{ op: 'remove', path }] : [set(path, text)];
  });
  const fix = texts.includes(undefined) ? meant : preferred;
  // From the last to the first, so that what is removed moves nothing that is still to come.
  return [fix('members-to-strings', edits.toReversed())];
}
