import type { JsonPath } from '../../base/json.ts';
import { livePrefix } from '../../contract/terms.ts';

import type { PathEdit } from '../../json/text/pathEdit.ts';
import { findClosestNames } from '../../base/similarNames.ts';
import type { Catalog } from '../../sql/language.ts';
import type { RuleLint } from '../lint/finding.ts';
import { toArray, isObject, isText, toMemberText, type UnknownObject } from '../readRule.ts';
import { createDefaultRule } from './defaultRule.ts';
import type { RuleFix, RuleFixCode } from './ruleFix.ts';

interface RuleFixContext {
  readonly rules: readonly unknown[];
  readonly rule: UnknownObject;
  /** The path of the rule in the list. */
  readonly at: JsonPath;
  readonly catalog: Catalog | undefined;
}

/**
 * Returns the fixes for a finding, best first; none if only the user can decide.
 * @param rules the list in the state in which it was linted
 */
export function getRuleFixes(
  lint: Pick<RuleLint, 'index' | 'code' | 'path' | 'args'>,
  rules: readonly unknown[],
  catalog?: Catalog,
): readonly RuleFix[] {
  const rule = toArray(rules)[lint.index];
  return isObject(rule) ? createFixes(lint, { rules, rule, at: [lint.index], catalog }) : [];
}

function createFixes(
  { code, path, args: [first = '', second = ''] }: Pick<RuleLint, 'code' | 'path' | 'args'>,
  context: RuleFixContext,
): readonly RuleFix[] {
  const { rule, at } = context;
  const place = [...at, ...path];
  switch (code) {
    case 'all-members-false':
      return [createPreferredFix('set-all-members-null', [createSetEdit(place, null)])];
    case 'members-required':
      return createMembersFixes(context);
    case 'ambiguous-empty':
      return createEmptyMembersFixes(context);
    case 'default-has-party':
      return [createPreferredFix('remove-identifier', [{ op: 'remove', path: place }], [first])];
    case 'party-required':
      return createPartyFixes(context, path, second);
    case 'unknown-table':
      return findClosestNames(
        first,
        (context.catalog?.tables ?? []).map(({ name }) => name),
      ).map((name) => createManualFix('use-table', [createSetEdit(place, name)], [name]));
    case 'unknown-column':
      return findClosestNames(second, getColumnNames(context.catalog, first)).map((name) =>
        createManualFix('use-column', [createSetEdit(place, name)], [name]),
      );
    case 'datatype-mismatch':
      return [createPreferredFix('set-datatype', [createSetEdit(place, first)], [first])];
    case 'live-flag':
      return [createPreferredFix('set-live', [createSetEdit(place, true)])];
    case 'live-prefix':
      return isText(rule['fullname']) && rule['fullname'] !== livePrefix
        ? [
            createPreferredFix(
              'add-prefix',
              [createSetEdit(place, `${livePrefix}${rule['fullname']}`)],
              [rule['fullname']],
            ),
          ]
        : [];
    case 'exclusionary-live':
      // It turns "all but these" into "only these", so it must not be applied without asking.
      return [createManualFix('allow-listed-instead', [{ op: 'remove', path: place }])];
    case 'no-default-rule':
      return createDefaultFixes(context);
    case 'duplicate-rule':
      return [
        createPreferredFix(
          path.length === 0 ? 'remove-rule' : 'remove-party',
          [{ op: 'remove', path: place }],
          [first],
        ),
      ];
    case 'flag-not-boolean':
      return [true, false].map((value) =>
        createManualFix('set-flag', [createSetEdit(place, value)], [first, String(value)]),
      );
    case 'member-not-string':
      return createStringFixes(context);
    case 'date-column':
      return [];
  }
}

const createPreferredFix = (
  code: RuleFixCode,
  edits: readonly PathEdit[],
  args: readonly string[] = [],
): RuleFix => ({
  code,
  args,
  isPreferred: true,
  changesMeaning: false,
  edits,
});

/** Creates a fix that the user has to choose, since it decides who sees what. */
const createManualFix = (
  code: RuleFixCode,
  edits: readonly PathEdit[],
  args: readonly string[] = [],
): RuleFix => ({
  code,
  args,
  isPreferred: false,
  changesMeaning: true,
  edits,
});

const createSetEdit = (path: JsonPath, value: unknown): PathEdit => ({ op: 'set', path, value });

function createEmptyMembersFixes({ at }: RuleFixContext): readonly RuleFix[] {
  const allMembers = [...at, 'allMembers'];
  return [
    createManualFix('make-nothing', [createSetEdit(allMembers, false)]),
    createManualFix('make-everything', [createSetEdit(allMembers, true)]),
  ];
}

/** Puts a single value into a list; in any case offers to turn the rule into *Nothing* or *Everything*. */
function createMembersFixes({ rule, at }: RuleFixContext): readonly RuleFix[] {
  const single = toMemberText(rule['members']);
  const members = [...at, 'members'];
  return [
    ...(single === undefined
      ? []
      : [createManualFix('make-list', [createSetEdit(members, [single])], [single])]),
    ...createEmptyMembersFixes({ rules: [], rule, at, catalog: undefined }).map((fix) => ({
      ...fix,
      edits: [createSetEdit(members, []), ...fix.edits],
    })),
  ];
}

/** Keys that people mistakenly use for the ID of a party. */
const mistakenKeyPattern = /^(?:party_?id|party|(?:user|group)_?id|_?id)$/i;

function createPartyFixes({ rule, at }: RuleFixContext, path: JsonPath, key: string): readonly RuleFix[] {
  if (path.length === 1) {
    return [createManualFix('make-default', [createSetEdit([...at, 'shares'], [{ type: 'default' }])])];
  }
  const [, position = 0] = path;
  const share = toArray(rule['shares'])[Number(position)];
  const place = [...at, 'shares', position];
  return Object.entries(isObject(share) ? share : {})
    .filter(([name, value]) => mistakenKeyPattern.test(name) && isText(value))
    .map(([name, value]) =>
      createPreferredFix(
        'use-identifier',
        [{ op: 'remove', path: [...place, name] }, createSetEdit([...place, key], value)],
        [name, key],
      ),
    );
}

const getColumnNames = (catalog: Catalog | undefined, table: string): readonly string[] =>
  catalog?.tables.find(({ name }) => name === table)?.columns.map(({ name }) => name) ?? [];

/** Creates fixes that add a default rule. *Nothing* comes first: it is safer (rest-api.md, "Kinds of rule"). */
function createDefaultFixes({ rule, rules }: RuleFixContext): readonly RuleFix[] {
  const insert = (value: unknown): PathEdit => ({ op: 'insert', path: [rules.length], value });
  const args = [String(rule['table']), String(rule['column'])];
  return [
    {
      ...createManualFix('add-default-nothing', [insert(createDefaultRule(rule, false))], args),
      isPreferred: true,
    },
    createManualFix('add-default-everything', [insert(createDefaultRule(rule, true))], args),
  ];
}

/** Converts all members of the rule to strings at once; members that can't be converted are removed. */
function createStringFixes({ rule, at }: RuleFixContext): readonly RuleFix[] {
  const members = toArray(rule['members']);
  const texts = members.map(toMemberText);
  const edits = members.flatMap((member, position): PathEdit[] => {
    const path = [...at, 'members', position];
    const text = texts[position];
    if (typeof member === 'string') {
      return [];
    }
    return text === undefined ? [{ op: 'remove', path }] : [createSetEdit(path, text)];
  });
  const fix = texts.includes(undefined) ? createManualFix : createPreferredFix;
  // From last to first, so that a removal does not shift the paths that follow.
  return [fix('members-to-strings', edits.toReversed())];
}
