import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../src/base/json.ts';
import { computeEdits } from '../../../src/json/text/computeEdits.ts';
import { parseJsonc } from '../../../src/json/text/parsedJson.ts';
import { applyEdits } from '../../../src/base/textEdit.ts';
import { applyRuleSetEdit } from '../../../src/security/form/applyRuleEdit.ts';
import {
  readRuleFields,
  readShareParty,
  getDocumentRules,
} from '../../../src/security/form/readRuleFields.ts';
import { rebaseRuleSetEdit } from '../../../src/security/form/rebaseRuleEdit.ts';
import {
  type FormParty,
  type RuleFormEdit,
  type RuleSetFormEdit,
  ruleKinds,
} from '../../../src/security/form/ruleEdit.ts';
import { ruleSetEditSchema } from '../../../src/security/form/ruleEditSchema.ts';
import { lintRules } from '../../../src/security/index.ts';
import { getValueKey } from '../../../src/security/matrix/cellText.ts';
import { createRuleMatrix, getCellKey, getMatrixColumnKey } from '../../../src/security/matrix/ruleMatrix.ts';
import { jsonValues, fillerChoices, formatWithFillers } from '../json/text/arbitraries.ts';
import { getPropertyRuns } from '../../support/soak.ts';

function applyEdit(text: string, edit: RuleSetFormEdit): string {
  const json = parseJsonc(text);
  return applyEdits(text, computeEdits(json, applyRuleSetEdit(json.value ?? {}, edit)));
}
const editFirstRule = (edit: RuleFormEdit): RuleSetFormEdit => ({ kind: 'rule', rule: 0, edit });

const ruleText = `{
  "_id": "r1", // made by the server
  "server": "LocalHost", "elasticube": "Retail",
  "table": "Stores", "column": "Region", "datatype": "text",
  "members": ["North", "West"], "allMembers": null, "exclusionary": false,
  "shares": [{ "partyId": "g1", "partyName": "Sales", "type": "group" }]
}
`;

test('each type of rule is written as the platform requires, without lint problems', () => {
  const kinds = {
    only: { members: ['North', 'West'], allMembers: null, exclusionary: false },
    except: { members: ['North', 'West'], allMembers: null, exclusionary: true },
    everything: { members: [], allMembers: true, exclusionary: false },
    nothing: { members: [], allMembers: false, exclusionary: false },
  };
  for (const kind of ruleKinds) {
    const rule =
      parseJsonc(applyEdit(ruleText, editFirstRule({ kind: 'ruleKind', value: kind }))).value ?? null;
    expect(rule).toMatchObject(kinds[kind]);
    expect(readRuleFields(rule).ruleKind).toBe(kind);
    const errors = lintRules([rule]).filter(
      ({ code, severity }) => severity === 'error' && code !== 'no-default-rule',
    );
    expect(errors).toEqual([]);
  }
});

test.each<[string, JsonValue, object | undefined]>([
  ['a user', { type: 'user', party: 'u', partyName: 'Ann' }, { type: 'user', id: 'u', name: 'Ann' }],
  ['the key of live rules', { type: 'group', partyId: 'g' }, { type: 'group', id: 'g' }],
  ['an empty key', { type: 'group', party: '', partyId: 'g', partyName: '' }, { type: 'group', id: 'g' }],
  ['a key that is no text', { type: 'group', party: 5, partyId: null, partyName: [] }, { type: 'group' }],
  ['everyone else', { type: 'default' }, { type: 'default' }],
  ['an unknown type', { type: 'role', party: 'r' }, undefined],
  ['no object', 'user', undefined],
])('the party of a share: %s', (_name, share, party) => {
  expect(readShareParty(share)).toEqual(party);
});

test('an edit changes its own rule alone, and only what differs', () => {
  const rules: readonly JsonValue[] = ['A', 'B', 'C'].map((column) => ({
    table: 'T',
    column,
    members: ['a', 5],
  }));
  const edit = { kind: 'rule', rule: 1, edit: { kind: 'ruleKind', value: 'everything' } } as const;
  const edited = getDocumentRules(applyRuleSetEdit(rules, edit));
  expect([edited[0], edited[2]]).toEqual([rules[0], rules[2]]);
  expect(edited[1]).toMatchObject({ column: 'B', allMembers: true });
  const sameValuesEdit = { kind: 'rule', rule: 1, edit: { kind: 'members', values: ['a', '5'] } } as const;
  expect(getDocumentRules(applyRuleSetEdit(rules, sameValuesEdit))[1]).toHaveProperty('members', ['a', 5]);
  expect(readRuleFields(rules[0] ?? null).members).toEqual(['a', '5']);
});

test('another column of a rule keeps the type of the values unless it has another one', () => {
  const edit = { kind: 'column', table: 'Stores', column: 'Size' } as const;
  expect(applyEdit(ruleText, editFirstRule(edit))).toBe(ruleText.replace('"Region"', '"Size"'));
  expect(applyEdit(ruleText, editFirstRule({ ...edit, datatype: 'numeric' }))).toBe(
    ruleText.replace('"Region"', '"Size"').replace('"text"', '"numeric"'),
  );
});

test('a live rule has exclusionary only if it hides values', () => {
  const live = '{ "fullname": "live:Ops", "live": true, "members": ["1"], "allMembers": null, "shares": [] }';
  const rule = parseJsonc(applyEdit(live, editFirstRule({ kind: 'ruleKind', value: 'except' }))).value;
  expect(rule).toMatchObject({ exclusionary: true });
  const shown = parseJsonc(applyEdit(live, editFirstRule({ kind: 'ruleKind', value: 'everything' }))).value;
  expect(shown).not.toHaveProperty('exclusionary');
  const shared = parseJsonc(
    applyEdit(
      live,
      editFirstRule({ kind: 'parties', values: [{ type: 'user', id: 'u' }, { type: 'default' }] }),
    ),
  ).value;
  expect(shared).toMatchObject({ shares: [{ partyId: 'u', type: 'user' }, { type: 'default' }] });
});

test('existing shares stay as written; a new one uses the same ID property', () => {
  const parties = [
    { type: 'group' as const, id: 'g1', name: 'Sales' },
    { type: 'user' as const, id: 'u1' },
  ];
  expect(applyEdit(ruleText, editFirstRule({ kind: 'parties', values: parties }))).toBe(
    ruleText.replace('"type": "group" }]', '"type": "group" }, { "partyId": "u1", "type": "user" }]'),
  );
});

test('setting values turns a rule into one that lists values, and leaves existing values as they are written', () => {
  const allValuesText = '{ "members": [1.0, "b"], "allMembers": true }';
  expect(applyEdit(allValuesText, editFirstRule({ kind: 'members', values: ['1', 'b', 'c'] }))).toBe(
    '{ "members": [1.0, "b", "c"], "allMembers": null }',
  );
});

test.each<[string, readonly string[], string]>([
  ['a value is replaced by a new one', ['1', 'c'], '[1.0, "c"]'],
  ['a value is replaced that was not the last one', ['x', 'b'], '["x", "b"]'],
  ['values change places', ['b', '1'], '["b", 1.0]'],
  ['a value is doubled', ['1', '1', 'b'], '[1.0, "1", "b"]'],
  ['all values are new', ['x', 'y'], '["x", "y"]'],
  ['a value is removed', ['b'], '["b"]'],
])('of the values of a rule, %s', (_name, values, expected) => {
  const edited = applyEdit(
    '{ "members": [1.0, "b"], "allMembers": null }',
    editFirstRule({ kind: 'members', values }),
  );
  expect(edited).toBe(`{ "members": ${expected}, "allMembers": null }`);
});

test.each<[string, JsonValue, object]>([
  [
    'an extract datamodel',
    { server: 'LocalHost', elasticube: 'Retail', shares: [] },
    {
      server: 'LocalHost',
      elasticube: 'Retail',
      shares: [{ party: 'u', type: 'user' }, { type: 'default' }],
    },
  ],
  [
    'an extract datamodel whose rules use the other key',
    { server: 'LocalHost', elasticube: 'Retail', shares: [{ partyId: 'g', type: 'group' }] },
    {
      server: 'LocalHost',
      elasticube: 'Retail',
      shares: [{ partyId: 'u', type: 'user' }, { type: 'default' }],
    },
  ],
  [
    'a live datamodel',
    { fullname: 'live:Support', live: true },
    { fullname: 'live:Support', live: true, shares: [{ partyId: 'u', type: 'user' }, { type: 'default' }] },
  ],
  [
    'a live datamodel that is not named',
    { live: true, shares: 'none' },
    { fullname: 'live:', live: true, shares: [{ partyId: 'u', type: 'user' }, { type: 'default' }] },
  ],
  [
    'a datamodel in the path of the request',
    { shares: [{ type: 'default' }] },
    { shares: [{ party: 'u', type: 'user' }, { type: 'default' }] },
  ],
])('a rule is added to %s with the fields of the others', (_name, sibling, expected) => {
  const parties: readonly FormParty[] = [{ type: 'user', id: 'u' }, { type: 'default' }];
  const newRule = {
    table: 'T',
    column: 'C',
    datatype: 'text',
    ruleKind: 'only',
    members: ['a'],
    parties,
  } as const;
  expect(applyRuleSetEdit([sibling], { kind: 'addRule', rule: newRule })).toEqual([
    sibling,
    { ...expected, table: 'T', column: 'C', datatype: 'text', members: ['a'], allMembers: null },
  ]);
});

test('a comment in an empty list of values is kept', () => {
  const text = '{ "members": [ /* none yet */ ], "allMembers": null }';
  expect(applyEdit(text, editFirstRule({ kind: 'ruleKind', value: 'nothing' }))).toBe(
    '{ "members": [ /* none yet */ ], "allMembers": false }',
  );
  expect(applyEdit(text, editFirstRule({ kind: 'members', values: [] }))).toBe(text);
});

test.each<[string, JsonValue]>([
  ['the only party', { shares: [{ type: 'user', party: 'u1' }] }],
  [
    'a party of another rule',
    {
      shares: [
        { type: 'user', party: 'u2' },
        { type: 'group', party: 'u1' },
      ],
    },
  ],
])('%s is not moved out of a rule', (_name, rule) => {
  const edit = { kind: 'splitRule', party: { type: 'user', id: 'u1' } } as const;
  expect(applyRuleSetEdit([rule], { ...edit, rule: 0 })).toEqual([rule]);
  expect(applyRuleSetEdit([rule], { ...edit, rule: 1 })).toEqual([rule]);
});

test('a rule set adds, splits and removes rules of the same datamodel', () => {
  const ruleSetText = `[\n${ruleText.trim().replaceAll('\n', '\n  ')}\n]\n`;
  const added = applyEdit(ruleSetText, {
    kind: 'addRule',
    rule: {
      table: 'T',
      column: 'C',
      datatype: 'numeric',
      ruleKind: 'nothing',
      members: [],
      parties: [{ type: 'default' }],
    },
  });
  expect(getDocumentRules(parseJsonc(added).value ?? null)[1]).toEqual({
    server: 'LocalHost',
    elasticube: 'Retail',
    table: 'T',
    column: 'C',
    datatype: 'numeric',
    members: [],
    allMembers: false,
    shares: [{ type: 'default' }],
  });
  expect(parseJsonc(applyEdit(added, { kind: 'removeRules', rules: [1] })).value).toEqual(
    parseJsonc(ruleSetText).value,
  );
  const withTwoParties = applyEdit(ruleSetText, {
    kind: 'rule',
    rule: 0,
    edit: {
      kind: 'parties',
      values: [
        { type: 'group', id: 'g1' },
        { type: 'user', id: 'u1' },
      ],
    },
  });
  const split = applyEdit(withTwoParties, { kind: 'splitRule', rule: 0, party: { type: 'user', id: 'u1' } });
  const [first, second] = getDocumentRules(parseJsonc(split).value ?? null);
  expect(first).toMatchObject({ _id: 'r1', shares: [{ partyId: 'g1' }] });
  expect(second).toMatchObject({ table: 'Stores', shares: [{ partyId: 'u1', type: 'user' }] });
  expect(second).not.toHaveProperty('_id');
});

describe('an edit of rules that was made before the text changed elsewhere', () => {
  const createRule = (column: string, member: string): JsonValue => ({
    table: 'T',
    column,
    datatype: 'text',
    members: [member],
    allMembers: null,
    shares: [{ party: column, type: 'user' }],
  });
  const [a, b, c] = [createRule('A', 'a'), createRule('B', 'b'), createRule('C', 'c')];
  const kindEdit: RuleSetFormEdit = {
    kind: 'rule',
    rule: 0,
    edit: { kind: 'ruleKind', value: 'everything' },
  };
  const removal: RuleSetFormEdit = { kind: 'removeRules', rules: [0] };
  /** Clones the current value, because the host's value shares no objects with the displayed one. */
  const rebase = (edit: RuleSetFormEdit, displayed: JsonValue, current: JsonValue) =>
    rebaseRuleSetEdit(edit, displayed, structuredClone(current));

  test('follows its rule', () => {
    expect(rebase(kindEdit, [a, b], [b, a])).toEqual({ ...kindEdit, rule: 1 });
    expect(rebase(removal, [a, b, c], [b, a, c])).toEqual({ ...removal, rules: [1] });
    expect(rebase(removal, [a, b], [c, a])).toEqual({ ...removal, rules: [1] });
    const split: RuleSetFormEdit = { kind: 'splitRule', rule: 0, party: { type: 'user', id: 'A' } };
    expect(rebase(split, [a, b], [b, a])).toEqual({ ...split, rule: 1 });
    expect(rebase(split, [a, b], [b])).toBeUndefined();
  });

  test('is dropped if the rule is gone or ambiguous', () => {
    expect(rebase(kindEdit, [a, b], [b, c])).toBeUndefined();
    expect(rebase(kindEdit, [a, b], [b, { ...(a as object), datatype: 'numeric' }])).toBeUndefined();
    expect(rebase(removal, [a, b], [b, b])).toBeUndefined();
    expect(rebase(kindEdit, [a], [c]), 'another rule in its place').toBeUndefined();
    expect(rebase(kindEdit, a, c), 'another rule instead').toBeUndefined();
  });

  test('is applied to its rule if only that rule has changed', () => {
    const changed = { ...(a as object), members: ['a', 'x'] };
    expect(rebase(kindEdit, [a, b], [changed, b])).toEqual(kindEdit);
    expect(rebase(kindEdit, a, changed)).toEqual(kindEdit);
  });

  test('of a list keeps changes made elsewhere', () => {
    const createShares = (...ids: readonly string[]) => ids.map((id) => ({ party: id, type: 'user' }));
    const createParties = (...ids: readonly string[]) => ids.map((id) => ({ type: 'user' as const, id }));
    const displayedRule = { ...(a as object), members: ['a', 'b'], shares: createShares('u1') };
    const changedRule = { ...(a as object), members: ['a', 'b', 'c'], shares: createShares('u1', 'u9') };
    const rebaseEdit = (change: RuleFormEdit, current: JsonValue) =>
      rebase(editFirstRule(change), [displayedRule], [current]);
    expect(rebaseEdit({ kind: 'members', values: ['a'] }, changedRule)).toEqual(
      editFirstRule({ kind: 'members', values: ['a', 'c'] }),
    );
    expect(rebaseEdit({ kind: 'parties', values: createParties('u1', 'u5') }, changedRule)).toMatchObject({
      edit: { values: createParties('u1', 'u5', 'u9') },
    });
    expect(rebaseEdit({ kind: 'parties', values: [] }, changedRule)).toMatchObject({
      edit: { values: createParties('u9') },
    });
    const everyoneElseOnly: RuleFormEdit = { kind: 'parties', values: [{ type: 'default' }] };
    expect(rebaseEdit(everyoneElseOnly, displayedRule)).toEqual(editFirstRule(everyoneElseOnly));
    expect(
      rebaseEdit(everyoneElseOnly, changedRule),
      'a rule for everyone else cannot get another party',
    ).toBeUndefined();
  });

  test('in any order of the rules, affects only its own rule', () => {
    const arbitraryColumns = fc.uniqueArray(fc.constantFrom('A', 'B', 'C', 'D', 'E'), { maxLength: 5 });
    fc.assert(
      fc.property(arbitraryColumns, arbitraryColumns, fc.nat(4), (before, after, rule) => {
        const createRules = (columns: readonly string[]) => columns.map((column) => createRule(column, 'x'));
        const edit = rebase({ ...kindEdit, rule }, createRules(before), createRules(after));
        const editedRule = before[rule];
        const index = editedRule === undefined ? -1 : after.indexOf(editedRule);
        expect(edit).toEqual(index < 0 ? undefined : { ...kindEdit, rule: index });
      }),
      { numRuns: getPropertyRuns(300) },
    );
  });
});

const texts = fc.constantFrom('', 'x', 'a/b', '😀', '1');
const party = fc.oneof(
  fc.record({ type: fc.constantFrom('user' as const, 'group' as const), id: texts }),
  fc.constant({ type: 'default' as const }),
);
const ruleEdits: fc.Arbitrary<RuleFormEdit> = fc.oneof(
  fc.record({ kind: fc.constant('column' as const), table: texts, column: texts }),
  fc.record({ kind: fc.constant('ruleKind' as const), value: fc.constantFrom(...ruleKinds) }),
  fc.record({ kind: fc.constant('members' as const), values: fc.array(texts, { maxLength: 4 }) }),
  fc.record({ kind: fc.constant('parties' as const), values: fc.array(party, { maxLength: 3 }) }),
);
const ruleSetEdits: fc.Arbitrary<RuleSetFormEdit> = fc.oneof(
  fc.record({ kind: fc.constant('rule' as const), rule: fc.nat(3), edit: ruleEdits }),
  fc.record({
    kind: fc.constant('addRule' as const),
    rule: fc.record({
      table: texts,
      column: texts,
      datatype: fc.constant('text' as const),
      ruleKind: fc.constantFrom(...ruleKinds),
      members: fc.array(texts, { maxLength: 2 }),
      parties: fc.array(party, { maxLength: 2 }),
    }),
  }),
  fc.record({ kind: fc.constant('removeRules' as const), rules: fc.array(fc.nat(3), { maxLength: 2 }) }),
  fc.record({ kind: fc.constant('splitRule' as const), rule: fc.nat(3), party }),
  fc.record({
    kind: fc.constant('cells' as const),
    cells: fc.array(
      fc.record({
        party,
        column: fc.record({ table: texts, column: texts, datatype: fc.constant('text' as const) }),
        value: fc.array(
          fc.record({
            kind: fc.constantFrom('only' as const, 'except' as const),
            values: fc.uniqueArray(texts, { maxLength: 2 }),
          }),
          { maxLength: 2 },
        ),
      }),
      { maxLength: 2 },
    ),
  }),
);
const rules = fc.record(
  {
    table: fc.oneof(texts, jsonValues),
    members: fc.oneof(fc.array(fc.oneof(texts, fc.integer())), jsonValues),
    allMembers: fc.constantFrom(null, true, false, 'x'),
    live: fc.boolean(),
    shares: fc.oneof(fc.array(fc.oneof(party, jsonValues), { maxLength: 3 }), jsonValues),
    unknownProperty: jsonValues,
  },
  { requiredKeys: [] },
);
const documents = fc.oneof(
  jsonValues,
  rules,
  fc.array(fc.oneof(rules, jsonValues), { maxLength: 4 }),
) as fc.Arbitrary<JsonValue>;

test('any sequence of edits of any document has the expected result, and every text stays readable', () => {
  fc.assert(
    fc.property(
      documents,
      fillerChoices,
      fc.array(ruleSetEdits, { maxLength: 6 }),
      (document, fillers, list) => {
        let current = formatWithFillers(document, fillers);
        for (const edit of list) {
          const before = parseJsonc(current);
          const expected = applyRuleSetEdit(before.value ?? {}, edit);
          current = applyEdit(current, edit);
          const after = parseJsonc(current);
          expect(after.error).toBeUndefined();
          expect(after.value).toEqual(expected);
          getDocumentRules(after.value ?? null).forEach(readRuleFields);
          expect(ruleSetEditSchema.parse(structuredClone(edit))).toEqual(edit);
        }
      },
    ),
    { numRuns: getPropertyRuns(400) },
  );
});

describe('an edit of cells of the grid', () => {
  const column = { table: 'Stores', column: 'Region', datatype: 'text' } as const;
  const sales = { type: 'group', id: 'g1' } as const;
  const finance = { type: 'group', id: 'g2' } as const;
  const createStoreRule = (members: readonly string[], ...ids: readonly string[]) => ({
    _id: members.join('+'),
    ...column,
    members,
    allMembers: null,
    shares: ids.map((party) => ({ party, type: 'group' })),
  });
  const editCell = (
    document: JsonValue,
    value: Extract<RuleSetFormEdit, { kind: 'cells' }>['cells'][number]['value'],
    cellParty: FormParty = sales,
  ) =>
    (
      applyRuleSetEdit(document, { kind: 'cells', cells: [{ party: cellParty, column, value }] }) as Record<
        string,
        JsonValue
      >[]
    ).map(({ _id, members, allMembers, exclusionary, shares }) => ({
      ...(_id === undefined ? {} : { _id }),
      members,
      allMembers,
      ...(exclusionary === undefined ? {} : { exclusionary }),
      parties: (shares as { party?: string; type: string }[]).map(({ party: id, type }) => id ?? type),
    }));

  test('changes a rule that is only for this party in place', () => {
    expect(
      editCell([createStoreRule(['North'], 'g1')], [{ kind: 'only', values: ['South', 'West'] }]),
    ).toEqual([{ _id: 'North', members: ['South', 'West'], allMembers: null, parties: ['g1'] }]);
    expect(editCell([createStoreRule(['North'], 'g1')], [{ kind: 'except', values: [] }])).toEqual([
      { _id: 'North', members: [], allMembers: true, parties: ['g1'] },
    ]);
    expect(editCell([createStoreRule(['North'], 'g1')], [{ kind: 'only', values: [] }])).toEqual([
      { _id: 'North', members: [], allMembers: false, parties: ['g1'] },
    ]);
  });

  test('leaves a shared rule as it is for the others', () => {
    expect(
      editCell([createStoreRule(['North'], 'g1', 'g2')], [{ kind: 'except', values: ['West'] }]),
    ).toEqual([
      { _id: 'North', members: ['North'], allMembers: null, parties: ['g2'] },
      { members: ['West'], allMembers: null, exclusionary: true, parties: ['g1'] },
    ]);
    expect(editCell([createStoreRule(['North'], 'g1', 'g2')], [])).toEqual([
      { _id: 'North', members: ['North'], allMembers: null, parties: ['g2'] },
    ]);
  });

  test('makes one rule of several, adds one for a cell without rules, and removes the rules of an emptied cell', () => {
    const severalRules = [createStoreRule(['North'], 'g1'), createStoreRule(['South'], 'g2', 'g1')];
    expect(editCell(severalRules, [{ kind: 'only', values: ['West'] }])).toEqual([
      { _id: 'North', members: ['West'], allMembers: null, parties: ['g1'] },
      { _id: 'South', members: ['South'], allMembers: null, parties: ['g2'] },
    ]);
    expect(editCell(severalRules, [])).toEqual([
      { _id: 'South', members: ['South'], allMembers: null, parties: ['g2'] },
    ]);
    expect(
      editCell([createStoreRule(['North'], 'g1')], [{ kind: 'only', values: ['West'] }], { type: 'default' }),
    ).toEqual([
      { _id: 'North', members: ['North'], allMembers: null, parties: ['g1'] },
      { members: ['West'], allMembers: null, parties: ['default'] },
    ]);
    expect(
      editCell(
        [],
        [
          { kind: 'only', values: ['A'] },
          { kind: 'only', values: ['B'] },
        ],
        finance,
      ),
    ).toHaveLength(2);
  });

  test('has the effect that the grid shows, whatever the rules are', () => {
    const values = fc.uniqueArray(fc.constantFrom('a', 'b', ''), { maxLength: 2 });
    const grants = fc.record({ kind: fc.constantFrom('only' as const, 'except' as const), values });
    const storeRules = fc.array(
      fc.record({
        table: fc.constant('Stores'),
        column: fc.constantFrom('Region', 'City'),
        members: values,
        allMembers: fc.constant(null),
        shares: fc
          .uniqueArray(fc.constantFrom('g1', 'g2', 'g3'), { maxLength: 3, minLength: 1 })
          .map((ids) => ids.map((id) => ({ type: 'group', party: id }))),
      }),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(storeRules, fc.array(grants, { maxLength: 2 }), (list, value) => {
        const readCells = (document: JsonValue) =>
          createRuleMatrix(document as readonly unknown[], { needsIds: false }).cells;
        const before = readCells(list);
        const after = readCells(
          applyRuleSetEdit(list, { kind: 'cells', cells: [{ party: sales, column, value }] }),
        );
        const key = getCellKey('group:g1', getMatrixColumnKey('Stores', 'Region'));
        const wanted = getValueKey(value.map((grant) => ({ ...grant, values: new Set(grant.values) })));
        expect(after.get(key)?.canonicalKey ?? '').toBe(wanted);
        for (const [otherKey, cell] of before) {
          if (otherKey !== key) {
            expect(after.get(otherKey)?.canonicalKey).toBe(cell.canonicalKey);
          }
        }
      }),
      { numRuns: getPropertyRuns(300) },
    );
  });
});

test('a user or group that files refer to by number stays an object with its number', () => {
  const party: FormParty = { type: 'group', id: '{"bound":3}', name: undefined };
  expect(readShareParty({ type: 'group', party: { bound: 3 } })).toEqual(party);
  const column = { table: 'Stores', column: 'Region', datatype: 'text' } as const;
  const cells = [{ party, column, value: [{ kind: 'only', values: ['North'] }] }] as const;
  const added = applyRuleSetEdit([], { kind: 'cells', cells });
  expect(added).toMatchObject([{ members: ['North'], shares: [{ type: 'group', party: { bound: 3 } }] }]);
  const {
    cells: matrixCells,
    parties,
    unplacedIndexes,
  } = createRuleMatrix(added as readonly JsonValue[], {
    needsIds: false,
  });
  expect(parties.map(({ id }) => id)).toEqual([undefined, '{"bound":3}']);
  expect([...matrixCells.values()].map(({ readOnlyReason }) => readOnlyReason)).toEqual([undefined]);
  expect(unplacedIndexes).toEqual([]);
  // A text that only looks similar is a name.
  const named = { ...party, id: '{"bound": 3}' };
  expect(applyRuleSetEdit([], { kind: 'cells', cells: [{ ...cells[0], party: named }] })).toMatchObject([
    { shares: [{ party: '{"bound": 3}' }] },
  ]);
});
