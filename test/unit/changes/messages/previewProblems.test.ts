import { describe, expect, test } from 'vitest';
import { english } from '../../../../src/base/localize.ts';
import { noParties } from '../../../../src/changes/bulkRules/findParties.ts';
import type { Preview } from '../../../../src/changes/bulkRules/preview.ts';
import { getPreviewProblems } from '../../../../src/changes/messages/previewProblems.ts';
import { RuleChangeRefusedError } from '../../../../src/changes/rules/ruleTarget.ts';
import { getTablePartyKey } from '../../../../src/security/ruleTable/unresolvedParties.ts';

const noDifference: Preview['difference'] = {
  adds: [],
  deletes: [],
  unchangedCount: 0,
  obstacles: [],
  obstacleWarnings: [],
  isUnchanged: true,
};

/** A change without problems, and with what a test adds. */
const createPreview = (parts: Partial<Preview> = {}): Preview => ({
  target: { connectionId: 'c1', subject: { kind: 'live', title: 'Support' } },
  source: { readRules: () => Promise.reject(new Error('It was read before')) },
  choices: { mode: 'columns', columns: {}, rewritesExclusions: false },
  sourceRules: { rules: [], problems: [], warnings: [] },
  foundParties: noParties,
  currentRules: [],
  difference: noDifference,
  formerNames: [],
  uncoveredColumns: [],
  overlappingRules: [],
  spellings: [],
  isUnconfirmedCubeSet: false,
  catalog: undefined,
  refusal: undefined,
  operation: { connectionId: 'c1', cause: 'bulk', subject: { name: 'Support', within: [] }, writes: [] },
  expectedVersions: [],
  ...parts,
});
const createObstacles = (...obstacles: Preview['difference']['obstacles']): Partial<Preview> => ({
  difference: { ...noDifference, obstacles, isUnchanged: false },
});
const getProblems = (parts: Partial<Preview>) => getPreviewProblems(english, createPreview(parts));
const getTexts = (parts: Partial<Preview>) => getProblems(parts).map(({ text }) => text);
const createNumbers = (count: number) => Array.from({ length: count }, (_none, index) => index + 2);

describe('problems of a change of rules', () => {
  test('are none for a valid change', () => {
    expect(getProblems({})).toEqual([]);
  });

  test.each([
    [['datatyp', 'datatype'], 'Did you mean datatype?'],
    [['extra'], ''],
  ])('name a column that is ignored: %j', (args, question) => {
    const problem = { code: 'ignored-column', severity: 'warning', row: 1, args } as const;
    const text = `Row 1: The column "${args[0]}" is unknown and is ignored. ${question}`.trimEnd();
    expect(getTexts({ sourceRules: { rules: [], problems: [problem], warnings: [] } })).toEqual([text]);
  });

  test.each([
    [1, 'u2.'],
    [8, 'u2, u3, u4, u5, u6, u7, u8, u9.'],
    [9, 'u2, u3, u4, u5, u6, u7, u8, u9, and 1 more.'],
    [10, 'u2, u3, u4, u5, u6, u7, u8, u9, and 2 more.'],
  ])('of %i IDs that may not exist, eight are listed and the others counted', (count, listed) => {
    const unreportedIds = createNumbers(count).map((number) => `u${number}`);
    const [text = ''] = getTexts({ foundParties: { ...noParties, unreportedIds } });
    expect(text.endsWith(`: ${listed}`)).toBe(true);
  });

  test('a name beside an ID of another party is an error of its rows', () => {
    const party = { type: 'group', idOrName: 'g1' } as const;
    const wrongName = {
      rows: [3, 5],
      party,
      name: 'Finance',
      actualName: 'Sales',
      otherIds: [],
      isUnused: true,
    };
    const contradictions = [
      wrongName,
      { ...wrongName, rows: [6], actualName: undefined, otherIds: ['g2', 'g3'] },
      { ...wrongName, rows: [7], party: { type: 'user', idOrName: 'u1' } as const, actualName: undefined },
    ];
    const correction = 'Correct the party name, or clear either the party or its name.';
    expect(getProblems({ foundParties: { ...noParties, contradictions } })).toEqual([
      {
        severity: 'error',
        text: `Rows 3, 5: g1 is the group Sales, but the party name is Finance. ${correction}`,
        location: { row: 3, columns: ['party name'] },
      },
      {
        severity: 'error',
        text: `Row 6: Finance is the group g2, g3, but the party is g1. ${correction}`,
        location: { row: 6, columns: ['party name'] },
      },
      {
        severity: 'error',
        text: `Row 7: u1 has the party name Finance, but no user has that name. ${correction}`,
        location: { row: 7, columns: ['party name'] },
      },
    ]);
  });

  test.each([
    [1, 'A1 (u1).'],
    [9, 'A1 (u1), A2 (u2), A3 (u3), A4 (u4), A5 (u5), A6 (u6), A7 (u7), A8 (u8), and 1 more.'],
  ])('%i names that nobody has anymore are listed with their IDs', (count, listed) => {
    const formerNames = createNumbers(count).map((number) => ({
      rows: [number],
      party: { type: 'user', idOrName: `u${number - 1}` } as const,
      name: `A${number - 1}`,
    }));
    expect(getTexts({ formerNames })).toEqual([
      `No user or group has these names anymore, so their rules aren't changed: ${listed}`,
    ]);
  });

  test('names that cannot be compared are listed with their IDs', () => {
    const uncomparedNames = [{ rows: [2], party: { type: 'user', idOrName: 'u1' } as const, name: 'Anna' }];
    expect(getTexts({ foundParties: { ...noParties, uncomparedNames } })).toEqual([
      "These names can't be checked on the instance, so their IDs are used: Anna (u1).",
    ]);
  });

  test.each([
    [1, 'Row 2: '],
    [2, 'Rows 2, 3: '],
    [8, 'Rows 2, 3, 4, 5, 6, 7, 8, 9: '],
    [9, 'Rows 2, 3, 4, 5, 6, 7, 8, 9, and 1 more: '],
  ])('of %i rows with the same problem, eight are listed and the others counted', (count, start) => {
    const rows = createNumbers(count);
    const [problem] = getProblems(createObstacles({ code: 'unknown-table', rows, args: ['Shops'] }));
    expect(problem?.text).toBe(`${start}The datamodel has no table Shops. The rule would have no effect.`);
    expect(problem?.location).toEqual({ row: 2, columns: ['table'] });
  });

  test('a problem of a rule from another datamodel has no row to open or to correct', () => {
    const obstacle = { code: 'unknown-table', rows: [], args: ['Shops'], closestName: 'Stores' } as const;
    expect(getProblems(createObstacles(obstacle))).toEqual([
      {
        severity: 'error',
        text: 'The datamodel has no table Shops. The rule would have no effect. Did you mean Stores?',
      },
    ]);
  });

  test.each([
    ['an existing rule', [{ table: 'Stores', column: 'Region', shares: [{ type: 'default' }] }], 'add', true],
    ['an existing rule, in another mode', [], 'columns', false],
    ['another new rule', [{ table: 'Stores', column: 'Region', shares: [] }], 'add', false],
  ] as const)(
    'a second rule for the same parties as %s prevents the change',
    (_text, current, mode, isSolvedByMode) => {
      const rule = { table: 'Stores', column: 'Region', shares: [{ type: 'default' }] };
      const choices = { mode, columns: {}, rewritesExclusions: false };
      const refusal = new RuleChangeRefusedError('same-parties', rule);
      expect(getProblems({ currentRules: current, choices, refusal })).toEqual([
        {
          severity: 'error',
          text: `Stores.Region would have two rules for the same users and groups, and this server might overwrite one with the other. Combine them into one rule.${
            isSolvedByMode ? ' To replace the existing rules instead, change the mode.' : ''
          }`,
        },
      ]);
    },
  );

  test('the fix of a misspelled name corrects all rows with that name, and only those', () => {
    const wrongTable = { code: 'unknown-table', args: ['Shops'], closestName: 'Stores' } as const;
    const wrongColumn = { code: 'unknown-column', args: ['Stores', 'Aera'], closestName: 'Area' } as const;
    const [first, , column] = getProblems(
      createObstacles(
        { ...wrongTable, rows: [2] },
        { ...wrongTable, rows: [4, 5] },
        { ...wrongColumn, rows: [3] },
      ),
    );
    expect(first?.fix).toEqual({ rows: [2, 4, 5], columns: ['table'], from: 'Shops', to: 'Stores' });
    expect(column?.fix).toEqual({ rows: [3], columns: ['column'], from: 'Aera', to: 'Area' });
  });

  test('similar names of groups are suggested only for groups, those of users only for users', () => {
    const closestNames = new Map([
      [getTablePartyKey({ type: 'group', idOrName: 'Slaes' }), 'Sales'],
      [getTablePartyKey({ type: 'user', idOrName: 'Kmi' }), 'Kim'],
    ]);
    const parties = createObstacles(
      { code: 'party-not-found', rows: [2], args: ['group', 'Slaes'] },
      { code: 'party-not-found', rows: [3], args: ['user', 'Slaes'] },
      { code: 'party-not-found', rows: [4], args: ['user', 'Kmi'] },
    );
    const problems = getProblems({ ...parties, foundParties: { ...noParties, closestNames } });
    expect(problems.map(({ text }) => text)).toEqual([
      'Row 2: Group not found: Slaes. Did you mean Sales?',
      "Row 3: User not found: Slaes. Enter the user's ID.",
      "Row 4: User not found: Kmi. Enter the user's ID. Did you mean Kim?",
    ]);
    expect(problems.map(({ fix }) => fix?.to)).toEqual(['Sales', undefined, 'Kim']);
  });

  test('a name of several groups is reported as ambiguous instead of missing; a party of another kind is missing', () => {
    const parties = createObstacles(
      { code: 'party-not-found', rows: [2], args: ['group', 'Sales'] },
      { code: 'party-not-found', rows: [3], args: ['user', 'Sales'] },
      { code: 'party-not-found', rows: [4], args: ['group', 'Support'] },
      { code: 'unknown-column', rows: [5], args: ['group', 'Sales'] },
    );
    const ambiguousParties = [
      { type: 'group', idOrName: 'Sales' },
      { type: 'user', idOrName: 'Kim' },
    ] as const;
    expect(getTexts({ ...parties, foundParties: { ...noParties, ambiguousParties } })).toEqual([
      'More than one group is named Sales. Use the ID instead.',
      'More than one user is named Kim. Use the ID instead.',
      "Row 3: User not found: Sales. Enter the user's ID.",
      'Row 4: Group not found: Support.',
      'Row 5: group has no column Sales. The rule would have no effect.',
    ]);
  });

  test('errors come first, then columns that lose their protection, then the rest', () => {
    const column = { table: 'Stores', column: 'Region' };
    const problems = getProblems({
      ...createObstacles({ code: 'date-column', rows: [], args: ['Stores', 'Opened'] }),
      isUnconfirmedCubeSet: true,
      uncoveredColumns: [
        { ...column, everyoneElseSees: 'unclear', losesDefault: false },
        { ...column, everyoneElseSees: 'unclear', losesDefault: true },
        { ...column, everyoneElseSees: 'everything', losesDefault: false },
      ],
      sourceRules: { rules: [], problems: [], warnings: ['A rule was left out.'] },
    });
    expect(problems.map(({ severity, losesProtection }) => [severity, losesProtection ?? false])).toEqual([
      ['error', false],
      ['warning', true],
      ['warning', true],
      ['warning', false],
      ['warning', false],
      ['warning', false],
    ]);
    const texts = problems.map(({ text }) => text);
    expect(texts.slice(1, 3)).toEqual([
      'Stores.Region would lose its rule for everyone else. What they see would be uncertain.',
      'Stores.Region would have no rules. Everyone would see all of its values.',
    ]);
    expect(texts.slice(4)).toEqual([
      'Stores.Region would have no rule for everyone else. What they see would be uncertain.',
      'A rule was left out.',
    ]);
  });

  test('an empty cell leads to its column, and a problem of the whole table to no row', () => {
    const problems = getProblems({
      sourceRules: {
        rules: [],
        problems: [
          { code: 'cell-required', row: 3, args: ['party'], severity: 'error' },
          { code: 'padded-value', row: 4, args: ['North'], severity: 'warning' },
          { code: 'several-values', row: 4, args: ['2', '"Fish", "Chips"'], severity: 'warning' },
          { code: 'default-has-party', row: 5, args: [], severity: 'error' },
          { code: 'empty', row: 0, args: [], severity: 'error' },
        ],
        warnings: [],
      },
    });
    expect(problems.map(({ text, location }) => [text, location])).toEqual([
      ['Row 3: "party" is empty.', { row: 3, columns: ['party'] }],
      [
        'Row 5: Rows of party type default are for everyone else. Clear the party and its name.',
        { row: 5, columns: ['party', 'party name'] },
      ],
      ['The table is empty.', undefined],
      [
        'Row 4: The spaces around "North" are ignored. Enclose the value in quotes to keep them.',
        { row: 4, columns: ['value'] },
      ],
      [
        'Row 4: The cell lists 2 values: "Fish", "Chips". Semicolons and line breaks separate values. To use the text as one value, enclose it in quotes within the cell.',
        { row: 4, columns: ['value'] },
      ],
    ]);
  });

  test.each([
    ['default', undefined, 'Everyone else'],
    ['group', 'g1', 'Group g1'],
    ['user', 'u1', 'User u1'],
  ] as const)('several rules of a party are reported with its kind: %s', (type, id, party) => {
    const createOverlap = (grants: readonly string[]): Partial<Preview> => ({
      overlappingRules: [
        {
          table: 'Stores',
          column: 'Region',
          party: { type, ...(id === undefined ? {} : { id }) },
          grants: grants.map((value) => ({ kind: 'only', values: new Set([value]) })),
        },
      ],
    });
    const [text = ''] = getTexts(createOverlap(['North', 'South']));
    expect(text).toMatch(
      new RegExp(`^${party} would have 2 rules with different access on Stores.Region: .*North.*South[^…]*$`),
    );
    const [longText = ''] = getTexts(createOverlap(['N'.repeat(200)]));
    expect(longText).toHaveLength(longText.indexOf(': ') + 2 + 120 + 1);
    expect(longText.endsWith('…')).toBe(true);
    const texts = Array.from(
      { length: 60 },
      (_none, index) => getTexts(createOverlap(['N'.repeat(70 + index)]))[0],
    );
    const longest = texts.findLast((each) => each?.endsWith('…') === false);
    expect(longest).toHaveLength(longText.length - 1);
  });
});
