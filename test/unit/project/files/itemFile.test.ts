import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MessageError, english, formatMessage } from '../../../../src/base/localize.ts';
import { type JsonValue, stringify } from '../../../../src/base/json.ts';
import { composeItemFile, type JsonItemKind, readItemFile } from '../../../../src/project/files/itemFile.ts';
import type { ItemKey } from '../../../../src/project/item.ts';
import { getPropertyRuns } from '../../../support/soak.ts';
import { hostileNames } from '../hostileNames.ts';

const read = (kind: JsonItemKind, value: JsonValue) => readItemFile(kind, value, 'Retail');

describe('the file of an item', () => {
  test.each<[ItemKey & { kind: JsonItemKind }, JsonValue]>([
    [
      { kind: 'datamodel', datamodel: 'Retail' },
      { title: 'Retail', type: 'extract' },
    ],
    [{ kind: 'dataset', datamodel: 'Retail', dataset: 'D' }, { name: 'D' }],
    [
      {
        kind: 'relation',
        datamodel: 'Retail',
        columns: [
          { table: 'A', column: 'x' },
          { table: 'B', column: 'x' },
        ],
      },
      {
        columns: [
          { table: 'A', column: 'x' },
          { table: 'B', column: 'x' },
        ],
      },
    ],
    [
      { kind: 'rules', datamodel: 'Retail', table: 'T', column: 'C' },
      [{ table: 'T', column: 'C', members: ['x'] }],
    ],
    [
      { kind: 'viewpoint', viewpoint: 'V' },
      { name: 'V', details: {} },
    ],
    [{ kind: 'cubeSetRules', cubeSet: 'World', table: 'T', column: 'C' }, [{ table: 'T', column: 'C' }]],
    [{ kind: 'customData', name: 'settings' }, { a: 1 }],
  ])('names the item: %o', (key, content) => {
    expect(read(key.kind, composeItemFile({ key, content }))).toEqual({
      item: { key, content },
      references: [],
    });
  });

  test('of a table refers to its SQL, whatever the names are', () => {
    fc.assert(
      fc.property(
        hostileNames,
        fc.uniqueArray(hostileNames, { minLength: 1, maxLength: 5 }),
        (table, names) => {
          const key = { kind: 'table', datamodel: 'Retail', table } as const;
          const content = { dataset: 'D', name: table, columns: names.map((name) => ({ name, type: 8 })) };
          const files = new Map<string | undefined, string>(
            names.map((name, index) => [name, `T/${index}.datamodel.sql`]),
          ).set(undefined, 'T.datamodel.sql');
          const result = read('table', composeItemFile({ key, content }, files));
          if ('fault' in result) {
            throw new MessageError(result.fault.message);
          }
          expect(stringify(result.item)).toBe(stringify({ key, content }));
          expect(
            new Map(
              result.references.map(({ key: owner, file }) => [
                owner.kind === 'columnExpression' ? owner.column : undefined,
                file,
              ]),
            ),
          ).toEqual(files);
        },
      ),
      { numRuns: getPropertyRuns(100) },
    );
  });

  test.each([
    ['rules', 'rules'],
    ['cubeSetRules', 'cube-set-rules'],
  ] as const)('without rules says how to remove them: %s', (kind, prunedKind) => {
    const result = read(kind, []);
    expect('fault' in result && formatMessage(english, result.fault.message)).toBe(
      `The file contains no rules. To remove the rules on a column from the instance, delete the file, and include deletions in the apply (--prune ${prunedKind} on the command line).`,
    );
  });

  test('has the title or the name first', () => {
    const key = { kind: 'datamodel', datamodel: 'R' } as const;
    expect(stringify(composeItemFile({ key, content: { type: 'live', title: 'R' } }))).toBe(
      '{"title":"R","type":"live"}',
    );
  });
});

const createTable = (expression: JsonValue): JsonValue => ({
  dataset: 'D',
  name: 'T',
  columns: [{ name: 'C', expression }],
});

test.each<[JsonItemKind, JsonValue, string, readonly (string | number)[]]>([
  ['datamodel', [], 'invalid-content', []],
  ['datamodel', {}, 'invalid-content', ['title']],
  ['viewpoint', { name: 1 }, 'invalid-content', ['name']],
  ['rules', [], 'invalid-content', []],
  ['rules', {}, 'invalid-content', []],
  [
    'rules',
    [
      { table: 'T', column: 'C' },
      { table: 'T', column: 'D' },
    ],
    'invalid-content',
    [1, 'column'],
  ],
  [
    'rules',
    [
      { table: 'T', column: 'Typo' },
      { table: 'T', column: 'C' },
      { table: 'T', column: 'C' },
    ],
    'invalid-content',
    [0, 'column'],
  ],
  ['relation', { columns: [{ table: 'T', column: 'C' }] }, 'invalid-content', ['columns']],
  ['customData', { name: 'x' }, 'invalid-content', ['content']],
  ['table', { name: 'T', columns: [] }, 'invalid-content', ['dataset']],
  [
    'table',
    { dataset: 'D', name: 'T', columns: [{ name: 'C' }, { name: 'C' }] },
    'invalid-content',
    ['columns', 1, 'name'],
  ],
  ['table', createTable('SELECT 1'), 'inline-sql', ['columns', 0, 'expression']],
  ['table', createTable({ $file: 'x.datamodel.sql', oid: '1' }), 'inline-sql', ['columns', 0, 'expression']],
  ...[
    '../x.datamodel.sql',
    'a/../../x.datamodel.sql',
    '/etc/x.datamodel.sql',
    'C:/x.datamodel.sql',
    'a\\x.datamodel.sql',
    'a//x.datamodel.sql',
    './x.datamodel.sql',
    'x.sql',
    '',
    1,
  ].map((file): [JsonItemKind, JsonValue, string, readonly (string | number)[]] => [
    'table',
    createTable({ $file: file }),
    'invalid-reference',
    ['columns', 0, 'expression', '$file'],
  ]),
])('%s %j is refused', (kind, value, code, path) => {
  expect(read(kind, value)).toMatchObject({ fault: { code, path } });
});
