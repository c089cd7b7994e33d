import { describe, expect, it } from 'vitest';
import { getRuleFixes, lintRules } from '../../../src/security/index.ts';
import type { JsonValue } from '../../../src/base/json.ts';
import { applyPathEdits } from '../../../src/json/text/pathEdit.ts';
import type { Catalog } from '../../../src/sql/index.ts';
import { allBut, everything, liveRule, nothing, only, rule } from './rules.ts';

const catalog: Catalog = {
  complete: true,
  tables: [
    {
      name: 'Stores',
      columns: [
        { name: 'Region', type: 18 },
        { name: 'Floor', type: 8 },
        { name: 'Opened', type: 31 },
        { name: 'Updated', type: 4 },
        { name: 'Open', type: 2 },
        { name: 'Odd', type: 999 },
        { name: 'Untyped' },
      ],
    },
  ],
};

const defaultRule = rule(nothing, 'default');
const listCodes = (rules: readonly unknown[], model?: Catalog): readonly string[] =>
  lintRules(rules, model).map(({ index, code, path }) => [index, code, ...path].join(' '));

/** Adds a default rule, so that only problems of the given rules are found. */
const withDefaultRule = (...rules: readonly unknown[]): readonly unknown[] => [...rules, defaultRule];

const createRulesWith = (document: object): readonly unknown[] =>
  withDefaultRule({ ...rule(only('A'), 'user:anna'), ...document });
const createRulesWithShares = (...shares: readonly unknown[]): readonly unknown[] =>
  createRulesWith({ shares });

describe('rules that conform to the guide have no problems', () => {
  it.each<[string, readonly unknown[]]>([
    ['no rules', []],
    ['a list', withDefaultRule(rule(only('A'), 'user:anna', 'group:red'))],
    ['all but', withDefaultRule(rule(allBut('A'), 'user:anna'))],
    ['Everything without members', withDefaultRule(rule({ allMembers: true }, 'user:anna'))],
    ['Nothing for a user', withDefaultRule(rule(nothing, 'user:anna'))],
    ['Nothing for a group', withDefaultRule(rule(nothing, 'group:red'))],
    ['a default rule of everything', [rule(everything, 'default')]],
    ['partyId, as in responses', createRulesWithShares({ type: 'group', partyId: 'red', partyName: 'Red' })],
    [
      'a default with an empty identifier',
      [{ ...defaultRule, shares: [{ type: 'default', partyId: '', party: null }] }],
    ],
    ['further fields', createRulesWith({ created: 'x', scopeConfiguration: {} })],
    ['live rules', [liveRule(only('A'), 'user:anna'), liveRule(nothing, 'default')]],
    ['a live rule with exclusionary false', [{ ...liveRule(nothing, 'default'), exclusionary: false }]],
    ['a live rule without fullname', [{ ...liveRule(nothing, 'default'), fullname: undefined }]],
    ['one party, two lists', withDefaultRule(rule(only('A'), 'user:anna'), rule(only('B'), 'user:anna'))],
    ['one list, two parties', withDefaultRule(rule(only('A'), 'user:anna'), rule(only('A'), 'group:anna'))],
    [
      'the same rule on another column',
      [rule(nothing, 'default'), rule({ ...nothing, column: 'Stores.region' }, 'default')],
    ],
    ['the same rule of another cube', [defaultRule, { ...defaultRule, elasticube: 'retail' }]],
    ['the same rule on another server', [defaultRule, { ...defaultRule, server: 'set' }]],
    [
      'the same rule of another live datamodel',
      [liveRule(nothing, 'default'), { ...liveRule(nothing, 'default'), fullname: 'live:Other' }],
    ],
  ])('%s', (_name, rules) => {
    expect(listCodes(rules)).toEqual([]);
  });
});

describe('problems of a rule, with their location', () => {
  it.each<[string, readonly unknown[], readonly string[]]>([
    ['false with members', createRulesWith({ allMembers: false }), ['0 all-members-false allMembers']],
    [
      'true with members, which are ignored',
      createRulesWith({ members: ['x', 1], allMembers: true }),
      ['0 all-members-true allMembers'],
    ],
    ['no members', createRulesWith({ members: undefined }), ['0 members-required members']],
    ['members null', createRulesWith({ members: null }), ['0 members-required members']],
    [
      'members a text, allMembers false',
      createRulesWith({ members: 'A', allMembers: false }),
      ['0 members-required members'],
    ],
    ['empty with null', createRulesWith({ members: [] }), ['0 ambiguous-empty members']],
    [
      'empty without allMembers',
      createRulesWith({ members: [], allMembers: undefined }),
      ['0 ambiguous-empty members'],
    ],
    [
      'empty with a text for allMembers',
      createRulesWith({ members: [], allMembers: 'true' }),
      ['0 flag-not-boolean allMembers'],
    ],
    [
      'a text for exclusionary',
      createRulesWith({ members: ['A'], exclusionary: 'true' }),
      ['0 flag-not-boolean exclusionary'],
    ],
    [
      'a number for allMembers',
      createRulesWith({ members: ['A'], allMembers: 0 }),
      ['0 flag-not-boolean allMembers'],
    ],
    [
      'an empty list that hides',
      createRulesWith({ members: [], allMembers: false, exclusionary: true }),
      ['0 ambiguous-empty members'],
    ],
    [
      'a number and an object as members',
      createRulesWith({ members: ['A', 1, {}] }),
      ['0 member-not-string members 1', '0 member-not-string members 2'],
    ],
    [
      'a default with a party',
      [{ ...defaultRule, shares: [{ type: 'default', party: 'x' }] }],
      ['0 default-has-party shares 0 party'],
    ],
    [
      'a default with a partyId',
      [{ ...defaultRule, shares: [{ type: 'default', partyId: 'x' }] }],
      ['0 default-has-party shares 0 partyId'],
    ],
    [
      'a group and a user by name',
      createRulesWithShares(
        { type: 'group', party: 'Data Team' },
        { type: 'user', partyId: 'anna@shop.example' },
      ),
      ['0 party-not-id shares 0 party', '0 party-not-id shares 1 partyId'],
    ],
    ['a user without party', createRulesWithShares({ type: 'user' }), ['0 party-required shares 0 party']],
    [
      'a group with an empty party',
      createRulesWithShares({ type: 'user', party: 'a' }, { type: 'group', party: '' }),
      ['0 party-required shares 1 party'],
    ],
    [
      'a live user without party',
      [{ ...liveRule(only('A')), shares: [{ type: 'user' }, { type: 'default' }] }],
      ['0 party-required shares 0 partyId'],
    ],
    ['no shares', createRulesWith({ shares: undefined }), ['0 party-required shares']],
    ['empty shares', createRulesWith({ shares: [] }), ['0 party-required shares']],
    [
      'a live rule without its flag',
      [{ ...liveRule(nothing, 'default'), live: false }],
      ['0 live-flag live'],
    ],
    [
      'a live rule with a flag of text',
      [{ ...liveRule(nothing, 'default'), live: 'true' }],
      ['0 live-flag live'],
    ],
    ['no prefix', [{ ...liveRule(nothing, 'default'), fullname: 'Support' }], ['0 live-prefix fullname']],
    [
      'a prefix in capitals',
      [{ ...liveRule(nothing, 'default'), fullname: 'LIVE:Support' }],
      ['0 live-prefix fullname'],
    ],
    [
      'an exclusionary live rule',
      [liveRule(allBut('A'), 'user:anna', 'default')],
      ['0 exclusionary-live exclusionary'],
    ],
    [
      'an exclusionary live rule where the server shows the field',
      [{ ...liveRule(allBut('A'), 'user:anna', 'default'), _id: 'r', dataSourceId: 'd' }],
      [],
    ],
    [
      'an exclusionary live rule beside one that shows the field',
      [
        liveRule(allBut('A'), 'user:anna', 'default'),
        { ...liveRule(only('A'), 'user:ben'), _id: 'r', exclusionary: false },
      ],
      [],
    ],
    [
      'no default rule, reported once per column',
      [rule(only('A'), 'user:anna'), rule(only('A'), 'user:ben')],
      ['0 no-default-rule column'],
    ],
    [
      'the default of another cube does not count',
      [rule(only('A'), 'user:anna'), { ...defaultRule, elasticube: 'Other' }],
      ['0 no-default-rule column'],
    ],
    [
      'the same rule twice',
      withDefaultRule(rule(only('A', 'B'), 'user:anna'), rule(only('B', 'A'), 'user:anna')),
      ['1 duplicate-rule'],
    ],
    [
      'the same default twice',
      [defaultRule, defaultRule, defaultRule],
      ['1 duplicate-rule', '2 duplicate-rule'],
    ],
    [
      'the same for one of two parties',
      withDefaultRule(rule(only('A'), 'user:anna'), rule(only('A'), 'user:ben', 'user:anna')),
      ['1 duplicate-rule shares 1'],
    ],
  ])('%s', (_name, rules, expected) => {
    expect(listCodes(rules)).toEqual(expected);
  });

  it.each<[string, unknown]>([
    ['a text', 'anna'],
    ['a user without an ID', { type: 'user', userId: 'anna' }],
    ['an unknown type without an ID', { type: 'team' }],
  ])('two rules for parties that cannot be read are no duplicates: %s', (_name, share) => {
    const unreadable = { ...rule(only('A'), 'user:anna'), shares: [share] };
    const found = listCodes(withDefaultRule(unreadable, unreadable));
    expect(found.filter((code) => code.includes('duplicate-rule'))).toEqual([]);
  });

  const listDuplicates = (first: object, second: object): readonly string[] =>
    listCodes([...createRulesWith(first).slice(0, 1), ...createRulesWith(second)]).filter((code) =>
      code.includes('duplicate-rule'),
    );

  it.each<[string, object]>([
    ['an empty list', { members: [] }],
    ['an empty list that hides', { members: [], exclusionary: true }],
    ['no list', { members: undefined }],
  ])('two rules that are unclear in the same way are duplicates: %s', (_name, unclear) => {
    expect(listDuplicates(unclear, unclear)).toEqual(['1 duplicate-rule']);
  });

  it.each<[string, object, object]>([
    ['different access', { members: [] }, { members: [], exclusionary: true }],
    [
      'different flags',
      { members: [], exclusionary: true },
      { members: [], allMembers: false, exclusionary: true },
    ],
    ...[
      { members: [], allMembers: 'true' },
      { members: [], exclusionary: 'true' },
      { members: ['A', {}] },
    ].map((unclear) => [JSON.stringify(unclear), unclear, unclear] as [string, object, object]),
  ])('two rules whose access may differ are no duplicates: %s', (_name, first, second) => {
    expect(listDuplicates(first, second)).toEqual([]);
  });

  it('a column that does not exist needs no default rule', () => {
    const ruleOnUnknownColumn = { ...rule(only('1'), 'user:anna'), column: 'Regoin' };
    expect(listCodes([ruleOnUnknownColumn], catalog)).toEqual(['0 unknown-column column']);
    expect(listCodes([ruleOnUnknownColumn])).toEqual(['0 no-default-rule column']);
  });

  it.each<[string, object, string]>([
    ['an unknown table', { table: 'Shops' }, '0 unknown-table table'],
    ['a table in other capitals', { table: 'stores' }, '0 unknown-table table'],
    ['an unknown column', { column: 'Regions' }, '0 unknown-column column'],
    ['a date', { column: 'Opened' }, '0 date-column column'],
    ['a timestamp', { column: 'Updated' }, '0 date-column column'],
    ['a number as text', { column: 'Floor' }, '0 datatype-mismatch datatype'],
    ['a text as number', { datatype: 'numeric' }, '0 datatype-mismatch datatype'],
  ])('%s', (_name, change, expected) => {
    const changed = [{ ...rule(only('1'), 'user:anna', 'default'), ...change }];
    expect(listCodes(changed, catalog)).toEqual([expected]);
    expect(listCodes(changed)).toEqual([]);
    const codesWithPartialCatalog = listCodes(changed, { ...catalog, complete: false });
    expect(codesWithPartialCatalog).toEqual(expected.includes('unknown') ? [] : [expected]);
  });

  it('reports no columns of a table that has none yet, such as a custom table before its first build', () => {
    const catalogBeforeBuild = { complete: true, tables: [{ name: 'Stores', columns: [] }] };
    expect(listCodes([defaultRule], catalogBeforeBuild)).toEqual([]);
  });

  it.each(['Open', 'Odd', 'Untyped'])('does not report the type of %s', (column) => {
    expect(listCodes([{ ...rule(only('1'), 'default'), column }], catalog)).toEqual([]);
  });

  it('reports a rule without a clear meaning as an error, a missing default rule as a warning', () => {
    const found = lintRules([rule(only('A'), 'user:anna'), { ...rule(only('A'), 'user:ben'), members: [] }]);
    expect(found.map(({ severity, message }) => [severity, message])).toEqual([
      ['warning', '"Stores.Region" has no rule for everyone else. What they see is uncertain.'],
      ['error', expect.stringContaining('all values or no values')],
    ]);
  });
});

describe('fixes', () => {
  const applyFixes = (rules: readonly unknown[], model?: Catalog): readonly (readonly [string, unknown])[] =>
    lintRules(rules, model).flatMap((problem) =>
      getRuleFixes(problem, rules, model).map(
        (fix) =>
          [
            [fix.code, ...fix.args, fix.isPreferred ? '!' : ''].join(' ').trim(),
            applyPathEdits(rules as JsonValue, fix.edits),
          ] as const,
      ),
    );

  it.each<[string, readonly unknown[], readonly string[]]>([
    ['all-members-false', createRulesWith({ allMembers: false }), ['set-all-members-null !']],
    [
      'all-members-true',
      createRulesWith({ members: ['A'], allMembers: true }),
      ['set-all-members-null', 'make-everything'],
    ],
    ['ambiguous-empty', createRulesWith({ members: [] }), ['make-nothing', 'make-everything']],
    ['members-required', createRulesWith({ members: undefined }), ['make-nothing', 'make-everything']],
    [
      'members-required with one text',
      createRulesWith({ members: 'A' }),
      ['make-list A', 'make-nothing', 'make-everything'],
    ],
    [
      'flag-not-boolean',
      createRulesWith({ members: ['A'], exclusionary: 'true' }),
      ['set-flag exclusionary true', 'set-flag exclusionary false'],
    ],
    [
      'member-not-string',
      createRulesWith({ members: ['A', 1, 2] }),
      ['members-to-strings !', 'members-to-strings !'],
    ],
    [
      'member-not-string with an object and null',
      createRulesWith({ members: [{}, 'A', null] }),
      ['members-to-strings', 'members-to-strings'],
    ],
    [
      'default-has-party',
      [{ ...defaultRule, shares: [{ type: 'default', party: 'x' }] }],
      ['remove-identifier party !'],
    ],
    [
      'party-required',
      createRulesWithShares({ type: 'user', userId: 'anna' }),
      ['use-identifier userId party !'],
    ],
    ['no shares', createRulesWith({ shares: [] }), ['make-default']],
    ['live-flag', [{ ...liveRule(nothing, 'default'), live: false }], ['set-live !']],
    ['live-prefix', [{ ...liveRule(nothing, 'default'), fullname: 'Support' }], ['add-prefix Support !']],
    ['exclusionary-live', [liveRule(allBut('A'), 'user:anna', 'default')], ['allow-listed-instead']],
    [
      'no-default-rule',
      [rule(only('A'), 'user:anna')],
      ['add-default-nothing Stores Region !', 'add-default-everything Stores Region'],
    ],
    ['duplicate-rule', [defaultRule, defaultRule], ['remove-rule 1 !']],
    [
      'duplicate party',
      withDefaultRule(rule(only('A'), 'user:a'), rule(only('A'), 'user:b', 'user:a')),
      ['remove-party 1 !'],
    ],
    ['unknown-table', [{ ...defaultRule, table: 'stores' }], ['use-table Stores']],
    ['unknown-column', [{ ...defaultRule, column: 'Regoin' }], ['use-column Region']],
    ['datatype-mismatch', [{ ...defaultRule, datatype: 'numeric' }], ['set-datatype text !']],
    ['date-column', [{ ...defaultRule, column: 'Opened' }], []],
  ])('%s: each fix removes its problem', (_name, rules, expected) => {
    const found = applyFixes(rules, catalog);
    expect(found.map(([name]) => name)).toEqual(expected);
    // A fix that changes access is never preferred, except for the one that adds the safe default rule.
    const fixes = lintRules(rules, catalog).flatMap((problem) => getRuleFixes(problem, rules, catalog));
    const unsafeFixes = fixes.filter(
      ({ code, isPreferred, changesMeaning }) =>
        isPreferred === changesMeaning && code !== 'add-default-nothing',
    );
    expect(unsafeFixes).toEqual([]);
    const before = structuredClone(rules);
    for (const [name, after] of found) {
      expect(listCodes(after as readonly unknown[], catalog), name).toEqual([]);
    }
    expect(rules).toEqual(before);
  });

  it('adds a default rule of the same datamodel', () => {
    const [[, extract] = []] = applyFixes([rule(only('A'), 'user:anna')]);
    expect((extract as readonly unknown[])[1]).toEqual({
      server: 'LocalHost',
      elasticube: 'Retail',
      table: 'Stores',
      column: 'Region',
      datatype: 'text',
      members: [],
      allMembers: false,
      shares: [{ type: 'default' }],
    });
    const [[, live] = []] = applyFixes([liveRule(only('A'), 'user:anna')]);
    expect((live as readonly unknown[])[1]).toMatchObject({ fullname: 'live:Support', live: true });
  });
});
