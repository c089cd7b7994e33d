import type { JsonPath } from '../../base/json.ts';
import { livePrefix } from '../../contract/terms.ts';

import type { PathEdit } from '../../json/text/pathEdit.ts';
import { findClosestNames } from '../../base/similarNames.ts';
import type { Catalog } from '../../sql/language.ts';
import type { RuleFinding } from '../lint/finding.ts';
import { readArray, isObject, isNonEmptyString, toMemberText, type UnknownObject } from '../readRules.ts';
import { createDefaultRule } from './defaultRule.ts';
import type { RuleFix, RuleFixCode } from './ruleFix.ts';

interface RuleFixContext {
  readonly rules: readonly unknown[];
  readonly rule: UnknownObject;
  /** The path of the rule in the list. */
  readonly rulePath: JsonPath;
  readonly catalog: Catalog | undefined;
}

/**
 * Returns the fixes for a finding, best first; none if only the user can decide.
 * @param rules the list in the state in which it was linted
 */
export function getRuleFixes(
  finding: Pick<RuleFinding, 'index' | 'code' | 'path' | 'args'>,
  rules: readonly unknown[],
  catalog?: Catalog,
): readonly RuleFix[] {
  const rule = readArray(rules)[finding.index];
  return isObject(rule) ? createFixes(finding, { rules, rule, rulePath: [finding.index], catalog }) : [];
}

function createFixes(
  { code, path, args: [firstArg = '', secondArg = ''] }: Pick<RuleFinding, 'code' | 'path' | 'args'>,
  context: RuleFixContext,
): readonly RuleFix[] {
  const { rule, rulePath } = context;
  const propertyPath = [...rulePath, ...path];
  switch (code) {
    case 'all-members-false':
      return [createPreferredFix('set-all-members-null', [createSetEdit(propertyPath, null)])];
    case 'all-members-true':
      return [
        createManualFix('set-all-members-null', [createSetEdit(propertyPath, null)]),
        createManualFix('make-everything', [createSetEdit([...rulePath, 'members'], [])]),
      ];
    case 'members-required':
      return createMembersFixes(context);
    case 'ambiguous-empty':
      return createEmptyMembersFixes(context);
    case 'default-has-party':
      return [createPreferredFix('remove-identifier', [{ op: 'remove', path: propertyPath }], [firstArg])];
    case 'party-required':
      return createPartyFixes(context, path, secondArg);
    case 'unknown-table':
      return findClosestNames(
        firstArg,
        (context.catalog?.tables ?? []).map(({ name }) => name),
      ).map((name) => createManualFix('use-table', [createSetEdit(propertyPath, name)], [name]));
    case 'unknown-column':
      return findClosestNames(secondArg, getColumnNames(context.catalog, firstArg)).map((name) =>
        createManualFix('use-column', [createSetEdit(propertyPath, name)], [name]),
      );
    case 'datatype-mismatch':
      return [createPreferredFix('set-datatype', [createSetEdit(propertyPath, firstArg)], [firstArg])];
    case 'live-flag':
      return [createPreferredFix('set-live', [createSetEdit(propertyPath, true)])];
    case 'live-prefix':
      return isNonEmptyString(rule['fullname']) && rule['fullname'] !== livePrefix
        ? [
            createPreferredFix(
              'add-prefix',
              [createSetEdit(propertyPath, `${livePrefix}${rule['fullname']}`)],
              [rule['fullname']],
            ),
          ]
        : [];
    case 'exclusionary-live':
      // The fix turns "all but these" into "only these", so it must not be applied without asking.
      return [createManualFix('allow-listed-instead', [{ op: 'remove', path: propertyPath }])];
    case 'no-default-rule':
      return createDefaultFixes(context);
    case 'duplicate-rule':
      return [
        createPreferredFix(
          path.length === 0 ? 'remove-rule' : 'remove-party',
          [{ op: 'remove', path: propertyPath }],
          [firstArg],
        ),
      ];
    case 'flag-not-boolean':
      return [true, false].map((value) =>
        createManualFix('set-flag', [createSetEdit(propertyPath, value)], [firstArg, String(value)]),
      );
    case 'member-not-string':
      return createStringFixes(context);
    case 'other-spelling':
      return [
        createManualFix('use-spelling', [createSpellingEdit(context, propertyPath, secondArg)], [secondArg]),
      ];
    case 'date-column':
    case 'party-not-id':
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

/** Creates a fix that changes which values are visible to whom, so that only the user can decide to apply it. */
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

/** Replaces a value, or removes it if the rule lists the right one as well. */
const createSpellingEdit = ({ rule }: RuleFixContext, path: JsonPath, spelling: string): PathEdit =>
  readArray(rule['members']).includes(spelling) ? { op: 'remove', path } : createSetEdit(path, spelling);

function createEmptyMembersFixes({ rulePath }: RuleFixContext): readonly RuleFix[] {
  const allMembers = [...rulePath, 'allMembers'];
  return [
    createManualFix('make-nothing', [createSetEdit(allMembers, false)]),
    createManualFix('make-everything', [createSetEdit(allMembers, true)]),
  ];
}

/** Puts a single value into a list; always offers to turn the rule into *Nothing* or *Everything*. */
function createMembersFixes({ rule, rulePath }: RuleFixContext): readonly RuleFix[] {
  const singleMember = toMemberText(rule['members']);
  const members = [...rulePath, 'members'];
  return [
    ...(singleMember === undefined
      ? []
      : [createManualFix('make-list', [createSetEdit(members, [singleMember])], [singleMember])]),
    ...createEmptyMembersFixes({ rules: [], rule, rulePath, catalog: undefined }).map((fix) => ({
      ...fix,
      edits: [createSetEdit(members, []), ...fix.edits],
    })),
  ];
}

/** Keys that people mistakenly use for the ID of a party. */
const mistakenKeyPattern = /^(?:party_?id|party|(?:user|group)_?id|_?id)$/i;

function createPartyFixes(
  { rule, rulePath }: RuleFixContext,
  path: JsonPath,
  key: string,
): readonly RuleFix[] {
  if (path.length === 1) {
    return [createManualFix('make-default', [createSetEdit([...rulePath, 'shares'], [{ type: 'default' }])])];
  }
  const [, shareIndex = 0] = path;
  const share = readArray(rule['shares'])[Number(shareIndex)];
  const sharePath = [...rulePath, 'shares', shareIndex];
  return Object.entries(isObject(share) ? share : {})
    .filter(([name, value]) => mistakenKeyPattern.test(name) && isNonEmptyString(value))
    .map(([name, value]) =>
      createPreferredFix(
        'use-identifier',
        [{ op: 'remove', path: [...sharePath, name] }, createSetEdit([...sharePath, key], value)],
        [name, key],
      ),
    );
}

const getColumnNames = (catalog: Catalog | undefined, table: string): readonly string[] =>
  catalog?.tables.find(({ name }) => name === table)?.columns.map(({ name }) => name) ?? [];

/** Creates fixes that add a default rule. *Nothing* comes first: it is safer (rest-api.md, "Kinds of rule"). */
function createDefaultFixes({ rule, rules }: RuleFixContext): readonly RuleFix[] {
  const createInsertEdit = (value: unknown): PathEdit => ({ op: 'insert', path: [rules.length], value });
  const args = [String(rule['table']), String(rule['column'])];
  return [
    {
      ...createManualFix('add-default-nothing', [createInsertEdit(createDefaultRule(rule, false))], args),
      isPreferred: true,
    },
    createManualFix('add-default-everything', [createInsertEdit(createDefaultRule(rule, true))], args),
  ];
}

/** Converts all members of the rule to strings at once; members that can't be converted are removed. */
function createStringFixes({ rule, rulePath }: RuleFixContext): readonly RuleFix[] {
  const members = readArray(rule['members']);
  const texts = members.map(toMemberText);
  const edits = members.flatMap((member, memberIndex): PathEdit[] => {
    const path = [...rulePath, 'members', memberIndex];
    const text = texts[memberIndex];
    if (typeof member === 'string') {
      return [];
    }
    return text === undefined ? [{ op: 'remove', path }] : [createSetEdit(path, text)];
  });
  const createFix = texts.includes(undefined) ? createManualFix : createPreferredFix;
  // From last to first, so that a removal does not shift the paths that follow.
  return [createFix('members-to-strings', edits.toReversed())];
}
