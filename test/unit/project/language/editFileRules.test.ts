import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../../src/base/json.ts';
import { parseProject } from '../../../../src/project/files/parseProject.ts';
import { editFileRules } from '../../../../src/project/language/editFileRules.ts';
import { RuleVersions, readFileRules } from '../../../../src/project/language/fileRules.ts';
import type {
  RuleCellEdit,
  RuleFileChange,
  RulesSubject,
} from '../../../../src/project/language/languageCalls.ts';
import { ProjectIndex } from '../../../../src/project/language/projectIndex.ts';
import { ProjectNames } from '../../../../src/project/validate/projectNames.ts';
import type { FormGrant } from '../../../../src/security/form/ruleEdit.ts';
import { getValueKey } from '../../../../src/security/matrix/cellText.ts';
import {
  createRuleMatrix,
  getCellKey,
  getMatrixColumnKey,
  toMatrixParty,
} from '../../../../src/security/matrix/ruleMatrix.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { formatFile, paths, validFiles } from '../../../support/projectFiles.ts';
import { getPropertyRuns } from '../../../support/soak.ts';
import { applySpanEdits, createEngine } from './languageSupport.ts';

type Texts = ReadonlyMap<string, string>;

const retail: RulesSubject = { datamodel: 'Retail' };
const all: RulesSubject = { cubeSet: 'All' };

const createTexts = (files: Readonly<Record<string, unknown>> = {}): Texts =>
  new Map(
    Object.entries({ ...validFiles, ...files }).flatMap(([path, content]) =>
      content === undefined ? [] : [[path, formatFile(content)] as const],
    ),
  );

function createIndex(texts: Texts): ProjectIndex {
  const project = parseProject({ texts, faults: [] });
  return new ProjectIndex(project, new ProjectNames(project, undefined));
}

/** Returns the files with changes. */
function applyChanges(texts: Texts, changes: readonly RuleFileChange[]): Texts {
  const changedTexts = new Map(texts);
  for (const change of changes) {
    if (change.kind === 'create') {
      expect(texts.has(change.path)).toBe(false);
      changedTexts.set(change.path, change.text);
      continue;
    }
    expect(change.textBefore).toBe(texts.get(change.path));
    if (change.kind === 'delete') {
      changedTexts.delete(change.path);
    } else {
      changedTexts.set(change.path, applySpanEdits(change.textBefore, change.edits));
    }
  }
  return changedTexts;
}

function edit(texts: Texts, cells: readonly RuleCellEdit[], subject = retail): Texts {
  const result = editFileRules(createIndex(texts), subject, cells);
  if ('refusal' in result) {
    throw new Error(result.refusal);
  }
  return applyChanges(texts, result.changes);
}

const only = (...values: readonly string[]): FormGrant => ({ kind: 'only', values });
const everything: FormGrant = { kind: 'except', values: [] };

/** The change of a cell, such as `group:Sales` on `Orders.Status`. */
function createCell(party: string, column: string, ...value: readonly FormGrant[]): RuleCellEdit {
  const [type = '', id] = party.split(/:(.*)/);
  const [table = '', name = ''] = column.split('.');
  return {
    party: { type: type as 'user', ...(id === undefined ? {} : { id }) },
    aliases: [],
    column: { table, column: name, datatype: 'text' },
    value,
  };
}

const readRules = (texts: Texts, subject = retail): readonly JsonValue[] =>
  readFileRules(createIndex(texts), new RuleVersions(), { subject, since: undefined }).rules ?? [];

describe('edits of cells in files', () => {
  test('change a rule where it is, with its comments and other members', () => {
    const text = `[
  // Who sells
  { "table": "Orders", "column": "Status", "note": 1, // why
    "members": ["Open", 7], "allMembers": null, "datatype": "text",
    "shares": [{ "party": "Sales", "type": "group" }] },
  { "table": "Orders", "column": "Status", "members": [], "allMembers": true, "shares": [{ "type": "default" }] }
]
`;
    const texts = createTexts({ [paths.rules]: text });
    const changedTexts = edit(texts, [createCell('group:Sales', 'Orders.Status', only('7', 'Done'))]);
    expect(changedTexts.get(paths.rules)).toBe(text.replace('["Open", 7]', '[7, "Done"]'));
    expect([...changedTexts].filter(([path, other]) => texts.get(path) !== other)).toHaveLength(1);
  });

  test('add rules for parties without one in a new file, as a pull writes it, with one rule for equal access', () => {
    const changedTexts = edit(createTexts(), [
      createCell('group:Zoo', 'Items.Order', only('2', '1')),
      createCell('default', 'Items.Order', { kind: 'only', values: [] }),
      createCell('group:{"bound":3}', 'Items.Order', only('1', '2')),
      createCell('user:Ann', 'Items.Order', { kind: 'except', values: ['3'] }),
      createCell('user:Zoe', 'Items.Order', only()),
      createCell('user:Ben', 'Items.Label'),
    ]);
    expect([...changedTexts.keys()].filter((path) => path.includes('/rules/'))).toEqual([
      paths.rules,
      'datamodels/Retail/rules/Items.Order.rules.json',
    ]);
    const rule = { table: 'Items', column: 'Order', datatype: 'text' };
    expect(changedTexts.get('datamodels/Retail/rules/Items.Order.rules.json')).toBe(
      formatFile([
        { ...rule, members: [], allMembers: false, shares: [{ type: 'default' }] },
        {
          ...rule,
          members: ['1', '2'],
          allMembers: null,
          shares: [
            { type: 'group', party: 'Zoo' },
            { type: 'group', party: { bound: 3 } },
          ],
        },
        {
          ...rule,
          members: ['3'],
          allMembers: null,
          exclusionary: true,
          shares: [{ type: 'user', party: 'Ann' }],
        },
        { ...rule, members: [], allMembers: false, shares: [{ type: 'user', party: 'Zoe' }] },
      ]),
    );
  });

  test('delete the file of a column whose last rule is deleted', () => {
    const changedTexts = edit(createTexts(), [
      createCell('group:Sales', 'Orders.Status'),
      createCell('default', 'Orders.Status'),
    ]);
    expect(changedTexts.has(paths.rules)).toBe(false);
  });

  test('keep the access of the other parties of a rule, including those that files refer to by number', () => {
    const rule = { table: 'Orders', column: 'Status', datatype: 'text', members: ['Open'], allMembers: null };
    const shares = [
      { type: 'user', party: { bound: 4 } },
      { type: 'group', party: 'Gone' },
    ];
    const texts = createTexts({ [paths.rules]: [{ ...rule, shares }] });
    const first = edit(texts, [createCell('group:Gone', 'Orders.Status', everything)]);
    expect(readRules(first)).toEqual([
      { ...rule, shares: shares.slice(0, 1) },
      { ...rule, members: [], allMembers: true, shares: shares.slice(1) },
    ]);
    expect(readRules(edit(first, [createCell('user:{"bound":4}', 'Orders.Status', only('Done'))]))).toEqual([
      { ...rule, members: ['Done'], shares: shares.slice(0, 1) },
      { ...rule, members: [], allMembers: true, shares: shares.slice(1) },
    ]);
  });

  test('replace the rules of a party that files name in several ways', () => {
    const create = (members: readonly string[], party: string) => ({
      table: 'Orders',
      column: 'Status',
      datatype: 'text',
      members,
      allMembers: null,
      shares: [{ type: 'user', party }],
    });
    const texts = createTexts({ [paths.rules]: [create(['Open'], 'ann@x.com'), create(['Done'], 'AnnB')] });
    const cell = { ...createCell('user:Ann', 'Orders.Status', only('New')), aliases: ['ann@x.com', 'AnnB'] };
    expect(readRules(edit(texts, [cell]))).toEqual([create(['New'], 'ann@x.com')]);
  });

  test('of a cube set change its files', () => {
    const rule = { table: 'Orders', column: 'Status', datatype: 'text', members: ['Open'], allMembers: null };
    const existingRule = { cubeSet: 'All', ...rule, shares: [{ type: 'default' }] };
    const texts = createTexts({ [paths.cubeSet]: [existingRule] });
    const changedTexts = edit(
      texts,
      [
        createCell('user:Ann', 'Orders.Status', only('Open')),
        createCell('user:Ann', 'Orders.Id', everything),
      ],
      all,
    );
    const shares = [{ type: 'user', party: 'Ann' }];
    expect(changedTexts.get(paths.cubeSet)).toBe(
      formatFile([existingRule, { cubeSet: 'All', ...rule, shares }]),
    );
    expect(changedTexts.get('cube-sets/All/rules/Orders.Id.rules.json')).toBe(
      formatFile([{ cubeSet: 'All', ...rule, column: 'Id', members: [], allMembers: true, shares }]),
    );
    expect(changedTexts.get(paths.rules)).toBe(texts.get(paths.rules));
  });

  test('are refused if a file that may have the column cannot be read', () => {
    const copy = 'datamodels/Retail/rules/Copy.rules.json';
    const brokenIndex = createIndex(
      createTexts({
        [copy]: '[',
        'datamodels/Other/Other.datamodel.json': { title: 'Other', type: 'extract' },
        'datamodels/Other/rules/Broken.rules.json': '[',
        'cube-sets/All/rules/Broken.rules.json': '[',
      }),
    );
    const cell = createCell('user:Ann', 'Orders.Id', everything);
    expect(editFileRules(brokenIndex, retail, [cell])).toEqual({ refusal: 'unreadable', paths: [copy] });
    expect(
      editFileRules(brokenIndex, retail, [createCell('user:Ann', 'Orders.Status', everything)]),
    ).toHaveProperty('changes.length', 1);
    const indexWithDuplicate = createIndex(createTexts({ [copy]: createTexts().get(paths.rules) }));
    expect(
      editFileRules(indexWithDuplicate, retail, [createCell('user:Ann', 'Orders.Status', everything)]),
    ).toEqual({
      refusal: 'unreadable',
      paths: [copy, paths.rules],
    });
  });

  test('cannot be changed if a rule has a party that cannot be read', () => {
    const rule = { table: 'Orders', column: 'Status', datatype: 'text', members: ['Open'], allMembers: null };
    const shares = [{ type: 'user', party: 'Ann' }, { type: 'robot' }];
    const index = createIndex(createTexts({ [paths.rules]: [{ ...rule, shares }] }));
    expect(() => editFileRules(index, retail, [createCell('user:Ann', 'Orders.Status')])).toThrow(RangeError);
  });

  test('are refused if the rules have changed since they were compared', async () => {
    const { engine, getText } = await createEngine();
    const { version } = engine.getRules({ subject: retail, since: undefined });
    const cells = [createCell('group:Sales', 'Orders.Status', only('Done'))];
    expect(engine.editRules({ subject: retail, version, cells })).toHaveProperty('changes.length', 1);
    engine.setUnsaved([{ path: paths.rules, text: getText(paths.rules).replace('"Open"', '"New"') }]);
    expect(engine.editRules({ subject: retail, version, cells })).toEqual({ refusal: 'changed' });
  });
});

const columns = ['Orders.Status', 'Orders.Id', 'Items.Order'] as const;
const partyTexts = ['default', 'user:ann', 'user:{"bound":3}', 'group:red', 'group:Red', 'user:red'] as const;
const value = fc.constantFrom('North', 'north', ' 1', '01', '', "O'Brien");
const grant: fc.Arbitrary<FormGrant> = fc.record({
  kind: fc.constantFrom('only', 'except'),
  values: fc.uniqueArray(value, { maxLength: 3 }),
});

const toShare = (party: string): JsonValue => {
  const { type, id } = createCell(party, '').party;
  return id === undefined
    ? { type }
    : { type, party: id.startsWith('{') ? (JSON.parse(id) as JsonValue) : id };
};

/** Rules as people write them: some unclear, with members of other types, and with other members. */
const rule = fc.record(
  {
    members: fc.oneof(
      { weight: 8, arbitrary: fc.array(fc.oneof(value, fc.integer({ max: 9 })), { maxLength: 3 }) },
      { weight: 1, arbitrary: fc.constantFrom('North', null, [null]) },
    ),
    allMembers: fc.constantFrom(null, true, false, 'true'),
    exclusionary: fc.constantFrom(true, false, null),
    note: fc.constant('x'),
    shares: fc.array(fc.constantFrom(...partyTexts).map(toShare), { maxLength: 3 }),
  },
  { requiredKeys: ['members', 'shares'] },
);

const ruleFiles = fc.tuple(...columns.map(() => fc.array(rule, { maxLength: 4 })));

/** Returns the text of a rule in its file: one line with a comment. */
function formatRule(column: string, content: object, index: number): string {
  const [table, name] = column.split('.');
  return `  /* ${column} ${index} */ ${JSON.stringify({ table, column: name, ...content })}`;
}

const cellEdits = fc.uniqueArray(
  fc.record({
    party: fc.constantFrom(...partyTexts),
    column: fc.constantFrom(...columns),
    value: fc.array(grant, { maxLength: 2 }),
  }),
  { maxLength: 6, selector: ({ party, column }) => `${party} ${column}` },
);

const toKey = ({ party, column }: RuleCellEdit): string =>
  getCellKey(toMatrixParty(party).key, getMatrixColumnKey(column.table, column.column));

const toValueKey = (grants: readonly FormGrant[]): string =>
  getValueKey(grants.map(({ kind, values }) => ({ kind, values: new Set(values) })));

const listCells = (rules: readonly JsonValue[]): ReadonlyMap<string, string> =>
  new Map(
    [...createRuleMatrix(rules, { needsIds: false }).cells].map(([key, { canonicalKey }]) => [
      key,
      canonicalKey,
    ]),
  );

test('property: the files have what the grid shows, and keep everything else', () => {
  fc.assert(
    fc.property(ruleFiles, cellEdits, (files, edits) => {
      const getPath = (column: string): string => `datamodels/Retail/rules/${column}.rules.json`;
      const rulesByColumn = columns.map((column, index) => ({ column, rules: files[index] ?? [] }));
      const texts = createTexts({
        [paths.rules]: undefined,
        ...Object.fromEntries(
          rulesByColumn.flatMap(({ column, rules }) =>
            rules.length === 0
              ? []
              : [
                  [
                    getPath(column),
                    `[\n${rules.map((each, i) => formatRule(column, each, i)).join(',\n')}\n]\n`,
                  ],
                ],
          ),
        ),
      });
      const cells = edits.map(({ party, column, value: grants }) => createCell(party, column, ...grants));
      const wanted = new Map(listCells(readRules(texts)));
      for (const cell of cells) {
        const key = toKey(cell);
        if (cell.value.length === 0) {
          wanted.delete(key);
        } else {
          wanted.set(key, toValueKey(cell.value));
        }
      }
      const changedTexts = edit(texts, cells);
      expect(listCells(readRules(changedTexts))).toEqual(wanted);
      const editedPaths = new Set(cells.map(({ column }) => getPath(`${column.table}.${column.column}`)));
      for (const [path, text] of texts) {
        if (!editedPaths.has(path)) {
          expect(changedTexts.get(path)).toBe(text);
        }
      }
      for (const { column, rules } of rulesByColumn) {
        const parties = edits.filter((each) => each.column === column).map(({ party }) => party);
        const shares = new Set(parties.map((party) => JSON.stringify(toShare(party))));
        for (const [index, each] of rules.entries()) {
          if (!each.shares.some((share) => shares.has(JSON.stringify(share)))) {
            expect(expectDefined(changedTexts.get(getPath(column)), column)).toContain(
              formatRule(column, each, index),
            );
          }
        }
      }
    }),
    { numRuns: getPropertyRuns(150) },
  );
});
