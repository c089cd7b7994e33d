import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJsonObject, type JsonValue } from '../../../../src/base/json.ts';
import { computeEdits } from '../../../../src/json/text/computeEdits.ts';
import { parseJsonc } from '../../../../src/json/text/parsedJson.ts';
import { applyEdits } from '../../../../src/base/textEdit.ts';
import { reuseEqualParts } from '../../../../src/json/text/valueChanges.ts';
import { applyViewpointEdit } from '../../../../src/viewpoints/form/applyViewpointEdit.ts';
import { createViewpointColumn } from '../../../../src/viewpoints/form/createViewpointColumn.ts';
import { readColumn, readViewpoint, getSharingState } from '../../../../src/viewpoints/form/readViewpoint.ts';
import { rebaseViewpointEdit } from '../../../../src/viewpoints/form/rebaseEdit.ts';
import {
  columnFlags,
  shareLists,
  type ViewpointEdit,
} from '../../../../src/viewpoints/form/viewpointEdit.ts';
import { viewpointEditSchema } from '../../../../src/viewpoints/form/viewpointEditSchema.ts';
import { getComments, jsonValues, fillerChoices, formatWithFillers } from '../../json/text/arbitraries.ts';
import { getPropertyRuns } from '../../../support/soak.ts';

function applyEdit(text: string, edit: ViewpointEdit): string {
  const json = parseJsonc(text);
  return applyEdits(text, computeEdits(json, applyViewpointEdit(json.value ?? {}, edit)));
}

const viewpointText = `{
  // The sales people's own.
  "name": "Sales", "extra": 1.0,
  "details": {
    "columns": [
      { "table": "Orders", "column": "Id", "title": "Order" }, // the key
      // what it brings
      { "table": "Orders", "column": "Revenue", "datatype": "numeric", "future": [1e3] },
      { "table": "Orders", "column": "Date", "infusion": { "defaultDate": true } }
    ]
  }
}
`;

test('a changed title changes only its line', () => {
  const edit: ViewpointEdit = { kind: 'columnText', columns: [1], key: 'title', value: 'Income' };
  expect(applyEdit(viewpointText, edit)).toBe(
    viewpointText.replace('"future": [1e3] }', '"future": [1e3], "title": "Income" }'),
  );
  expect(applyEdit(applyEdit(viewpointText, edit), { ...edit, value: '' })).toBe(viewpointText);
});

test('moving, removing and adding columns leaves the others as they were typed', () => {
  expect(
    applyEdit(viewpointText, { kind: 'moveColumns', columns: [2], insertIndex: 0 })
      .split('\n')
      .slice(5, 10),
  ).toEqual([
    '      { "table": "Orders", "column": "Date", "infusion": { "defaultDate": true } },',
    '      { "table": "Orders", "column": "Id", "title": "Order" }, // the key',
    '      // what it brings',
    '      { "table": "Orders", "column": "Revenue", "datatype": "numeric", "future": [1e3] }',
    '    ]',
  ]);
  expect(
    applyEdit(viewpointText, { kind: 'removeColumns', columns: [0, 2] })
      .split('\n')
      .slice(4, 8),
  ).toEqual([
    '    "columns": [',
    '      // what it brings',
    '      { "table": "Orders", "column": "Revenue", "datatype": "numeric", "future": [1e3] }',
    '    ]',
  ]);
  const added = applyEdit(viewpointText, {
    kind: 'addColumns',
    insertIndex: 3,
    columns: [
      createViewpointColumn('Orders', { name: 'Ship Date', type: 4 }),
      createViewpointColumn('Orders', { name: 'Tax', type: 5 }),
    ],
  });
  expect(added.split('\n').slice(8, 12)).toEqual([
    '      { "table": "Orders", "column": "Date", "infusion": { "defaultDate": true } },',
    '      { "table": "Orders", "column": "Ship Date", "dim": "[Orders.Ship Date (Calendar)]", "datatype": "datetime", "title": "Ship Date" },',
    '      { "table": "Orders", "column": "Tax", "dim": "[Orders.Tax]", "datatype": "numeric", "title": "Tax" }',
    '    ]',
  ]);
});

describe('flags respect their limits (rest-api.md, "infusion sub-object")', () => {
  const getColumns = (document: JsonValue) => readViewpoint(document).columns.map(readColumn);

  test('a flag that only one column may have is removed from the other', () => {
    const document = applyViewpointEdit(parseJsonc(viewpointText).value ?? {}, {
      kind: 'flag',
      columns: [1],
      flag: 'defaultDate',
      value: true,
    });
    expect(getColumns(document).map(({ flags }) => [...flags])).toEqual([[], ['defaultDate'], []]);
  });

  test('the unique ID gets its required filter, and keeps an existing one', () => {
    const setUid: ViewpointEdit = { kind: 'flag', columns: [0], flag: 'uid', value: true };
    const document = applyViewpointEdit(parseJsonc(viewpointText).value ?? {}, setUid);
    expect(getColumns(document)[0]).toMatchObject({ filter: { all: true }, flags: new Set(['uid']) });
    const filtered = applyViewpointEdit({ details: { columns: [{ filter: { members: ['x'] } }] } }, setUid);
    expect(getColumns(filtered)[0]?.filter).toEqual({ members: ['x'] });
  });

  test('switching a flag on and off leaves the text unchanged', () => {
    const flaggedText = applyEdit(viewpointText, { kind: 'flag', columns: [1], flag: 'header', value: true });
    expect(flaggedText).toContain('"infusion": { "header": true }');
    expect(applyEdit(flaggedText, { kind: 'flag', columns: [1], flag: 'header', value: false })).toBe(
      viewpointText,
    );
  });
});

test('publishing sets both properties, as the platform does', () => {
  expect(applyViewpointEdit({ visibility: { apps: ['Slack'] } }, { kind: 'published', value: true })).toEqual(
    {
      enabled: true,
      visibility: { apps: ['Slack'], enabled: true },
    },
  );
  expect(applyViewpointEdit({}, { kind: 'published', value: false })).toEqual({ enabled: false });
});

test('a shared viewpoint is not visible until it is published', () => {
  const getState = (document: JsonValue) => getSharingState(readViewpoint(document));
  expect(getState({ visibility: { groups: ['Sales'] } })).toBe('shared');
  expect(getState({ enabled: true, visibility: { groups: ['Sales'] } })).toBe('visible');
  expect(getState({ visibility: { enabled: true } })).toBe('published');
  expect(getState(null)).toBe('private');
});

const columnIndexes = fc.array(fc.nat(6), { maxLength: 4 });
const texts = fc.constantFrom('', 'x', 'a/b', '😀 "q"', 'y'.repeat(200));
const edits: fc.Arbitrary<ViewpointEdit> = fc.oneof(
  fc.record({
    kind: fc.constant('text' as const),
    key: fc.constantFrom('name' as const, 'description' as const),
    value: texts,
  }),
  fc.record({ kind: fc.constant('published' as const), value: fc.boolean() }),
  fc.record({
    kind: fc.constant('datasource' as const),
    value: fc.record({ title: texts, fullname: texts }),
  }),
  fc.record({
    kind: fc.constant('share' as const),
    list: fc.constantFrom(...shareLists),
    values: fc.array(texts, { maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant('addColumns' as const),
    insertIndex: fc.nat(6),
    columns: fc.array(
      texts.map((name) => createViewpointColumn('T', { name, type: 4 })),
      { maxLength: 3 },
    ),
  }),
  fc.record({ kind: fc.constant('removeColumns' as const), columns: columnIndexes }),
  fc.record({ kind: fc.constant('moveColumns' as const), columns: columnIndexes, insertIndex: fc.nat(7) }),
  fc.record({
    kind: fc.constant('columnText' as const),
    columns: columnIndexes,
    key: fc.constantFrom('title' as const, 'agg' as const, 'level' as const),
    value: texts,
  }),
  fc.record({
    kind: fc.constant('flag' as const),
    columns: columnIndexes,
    flag: fc.constantFrom(...columnFlags),
    value: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('columnPart' as const),
    columns: columnIndexes,
    key: fc.constantFrom('filter' as const, 'format' as const),
    value: fc.constantFrom(null, { all: true }, { members: ['a', 'b'] }, [{ mask: {} }]),
  }),
);

const columns = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record(
        {
          table: texts,
          title: fc.oneof(texts, fc.constant(5)),
          infusion: fc.oneof(fc.constant(null), fc.record({ uid: fc.boolean() })),
          future: jsonValues,
        },
        { requiredKeys: [] },
      ),
    },
    { weight: 1, arbitrary: jsonValues },
  ),
  { maxLength: 6 },
);
/** Valid viewpoints, invalid ones, and values that are not viewpoints. */
const documents = fc.oneof(
  jsonValues,
  fc.record(
    {
      name: fc.oneof(texts, jsonValues),
      details: fc.oneof(
        fc.record({ columns: fc.oneof(columns, jsonValues) }, { requiredKeys: [] }),
        jsonValues,
      ),
      visibility: fc.oneof(
        fc.record({ apps: fc.oneof(fc.array(texts), jsonValues) }, { requiredKeys: [] }),
        jsonValues,
      ),
      future: jsonValues,
    },
    { requiredKeys: [] },
  ),
) as fc.Arbitrary<JsonValue>;

test('any sequence of edits of any document has the expected result, and every text stays readable', () => {
  fc.assert(
    fc.property(documents, fillerChoices, fc.array(edits, { maxLength: 8 }), (document, fillers, list) => {
      let current = formatWithFillers(document, fillers);
      for (const edit of list) {
        const before = parseJsonc(current);
        const expected = applyViewpointEdit(before.value ?? {}, edit);
        current = applyEdit(current, edit);
        const after = parseJsonc(current);
        expect(after.error).toBeUndefined();
        expect(after.value).toEqual(expected);
        if (expected === before.value) {
          expect(current).toBe(before.text);
        }
        if (edit.kind === 'addColumns' || edit.kind === 'moveColumns') {
          expect(getComments(current).toSorted()).toEqual(getComments(before.text).toSorted());
        }
        expect(viewpointEditSchema.parse(structuredClone(edit))).toEqual(edit);
      }
    }),
    { numRuns: getPropertyRuns(400) },
  );
});

test('the form reads any value', () => {
  fc.assert(
    fc.property(documents, (document) => {
      const fields = readViewpoint(document);
      fields.columns.forEach(readColumn);
      getSharingState(fields);
    }),
    { numRuns: getPropertyRuns(300) },
  );
});

describe('an edit that was made before the text changed elsewhere', () => {
  const displayed = parseJsonc(viewpointText).value ?? {};
  const changeElsewhere = (change: (document: typeof displayed) => JsonValue): JsonValue =>
    reuseEqualParts(displayed, JSON.parse(JSON.stringify(change(displayed))) as JsonValue);

  test('finds its columns in their current positions', () => {
    const reordered = changeElsewhere((document) =>
      applyViewpointEdit(document, { kind: 'moveColumns', columns: [2], insertIndex: 0 }),
    );
    const edit: ViewpointEdit = { kind: 'removeColumns', columns: [0] };
    expect(rebaseViewpointEdit(edit, displayed, reordered)).toEqual({ ...edit, columns: [1] });
    const flagEdit: ViewpointEdit = { kind: 'flag', columns: [0, 2], flag: 'header', value: true };
    expect(rebaseViewpointEdit(flagEdit, displayed, reordered)).toEqual({ ...flagEdit, columns: [1, 0] });
    const added = changeElsewhere((document) =>
      applyViewpointEdit(document, {
        kind: 'addColumns',
        insertIndex: 0,
        columns: [createViewpointColumn('T', { name: 'C' })],
      }),
    );
    expect(rebaseViewpointEdit(edit, displayed, added)).toEqual({ ...edit, columns: [1] });
    expect(
      rebaseViewpointEdit({ kind: 'moveColumns', columns: [2], insertIndex: 3 }, displayed, added),
    ).toEqual({
      kind: 'moveColumns',
      columns: [3],
      insertIndex: 4,
    });
  });

  test('is applied in place if only its column has changed, and is still the same column of the datamodel', () => {
    const edit: ViewpointEdit = { kind: 'columnText', columns: [1], key: 'title', value: 'x' };
    const setColumnProperty = (key: string, value: string, columnIndexes: readonly number[]) =>
      changeElsewhere((document) => {
        const changed = readViewpoint(document).columns.map((column, index) =>
          columnIndexes.includes(index) && isJsonObject(column) ? { ...column, [key]: value } : column,
        );
        return { details: { columns: changed } };
      });
    expect(rebaseViewpointEdit(edit, displayed, setColumnProperty('agg', 'sum', [1]))).toEqual(edit);
    expect(rebaseViewpointEdit(edit, displayed, setColumnProperty('agg', 'sum', [0, 1]))).toBeUndefined();
    expect(rebaseViewpointEdit(edit, displayed, setColumnProperty('column', 'Cost', [1]))).toBeUndefined();
  });

  test('of a list keeps changes to the shares made elsewhere', () => {
    const createSharedWith = (...groups: readonly string[]): JsonValue => ({
      visibility: { apps: ['x'], groups },
    });
    const edit: ViewpointEdit = { kind: 'share', list: 'groups', values: ['g1', 'g3'] };
    expect(rebaseViewpointEdit(edit, createSharedWith('g1'), createSharedWith('g1', 'g2'))).toEqual({
      ...edit,
      values: ['g1', 'g3', 'g2'],
    });
    expect(rebaseViewpointEdit(edit, createSharedWith('g1', 'g2'), createSharedWith('g2'))).toEqual({
      ...edit,
      values: ['g3'],
    });
  });

  test('adds columns after the previous one, if the next one is gone', () => {
    const addition: ViewpointEdit = {
      kind: 'addColumns',
      insertIndex: 2,
      columns: [createViewpointColumn('T', { name: 'C' })],
    };
    const removed = changeElsewhere((document) =>
      applyViewpointEdit(document, { kind: 'removeColumns', columns: [2] }),
    );
    expect(rebaseViewpointEdit({ ...addition, insertIndex: 2 }, displayed, removed)).toEqual({
      ...addition,
      insertIndex: 2,
    });
    const onlySecond = changeElsewhere((document) =>
      applyViewpointEdit(document, { kind: 'removeColumns', columns: [0, 2] }),
    );
    expect(rebaseViewpointEdit({ ...addition, insertIndex: 2 }, displayed, onlySecond)).toEqual({
      ...addition,
      insertIndex: 1,
    });
    const onlyThird = changeElsewhere((document) =>
      applyViewpointEdit(document, { kind: 'removeColumns', columns: [0, 1] }),
    );
    expect(rebaseViewpointEdit({ ...addition, insertIndex: 1 }, displayed, onlyThird)).toEqual({
      ...addition,
      insertIndex: 1,
    });
  });

  test('is dropped if its column is gone, and kept if it concerns no column', () => {
    const removed = changeElsewhere((document) =>
      applyViewpointEdit(document, { kind: 'removeColumns', columns: [1] }),
    );
    const edit: ViewpointEdit = { kind: 'columnText', columns: [1], key: 'title', value: 'x' };
    expect(rebaseViewpointEdit(edit, displayed, removed)).toBeUndefined();
    const name: ViewpointEdit = { kind: 'text', key: 'name', value: 'x' };
    expect(rebaseViewpointEdit(name, displayed, removed)).toBe(name);
  });
});
