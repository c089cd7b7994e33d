import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeStem, foldPath, getHashedStems, getPlainStem } from '../../../src/project/fileNames.ts';
import { formatItemKey, type ItemKey, parseItemKey } from '../../../src/project/item.ts';
import { assignPaths, isInItemFolder } from '../../../src/project/paths.ts';
import { getPropertyRuns } from '../../support/soak.ts';
import { createConfusableNames, hostileNames } from './hostileNames.ts';
import { findPathProblem } from './legalPaths.ts';

const columns = fc.record({ table: hostileNames, column: hostileNames });
const keys: fc.Arbitrary<ItemKey> = fc.oneof(
  fc.record({ kind: fc.constant('datamodel'), datamodel: hostileNames }),
  fc.record({ kind: fc.constant('dataset'), datamodel: hostileNames, dataset: hostileNames }),
  fc.record({ kind: fc.constant('table'), datamodel: hostileNames, table: hostileNames }),
  fc.record({ kind: fc.constant('tableExpression'), datamodel: hostileNames, table: hostileNames }),
  fc.record({
    kind: fc.constant('columnExpression'),
    datamodel: hostileNames,
    table: hostileNames,
    column: hostileNames,
  }),
  fc.record({
    kind: fc.constant('relation'),
    datamodel: hostileNames,
    columns: fc.array(columns, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant('rules'),
    datamodel: hostileNames,
    table: hostileNames,
    column: hostileNames,
  }),
  fc.record({ kind: fc.constant('viewpoint'), viewpoint: hostileNames }),
  fc.record({
    kind: fc.constant('cubeSetRules'),
    cubeSet: hostileNames,
    table: hostileNames,
    column: hostileNames,
  }),
  fc.record({ kind: fc.constant('customData'), name: hostileNames }),
);
const distinctKeys = fc.uniqueArray(keys, { selector: formatItemKey, maxLength: 60, size: 'max' });

describe('paths', () => {
  test.each<[ItemKey, string]>([
    [{ kind: 'datamodel', datamodel: 'Retail' }, 'datamodels/Retail/Retail.datamodel.json'],
    [
      { kind: 'dataset', datamodel: 'Retail', dataset: 'Sandbox' },
      'datamodels/Retail/datasets/Sandbox.dataset.json',
    ],
    [
      { kind: 'table', datamodel: 'Retail', table: 'Customers' },
      'datamodels/Retail/tables/Customers.table.json',
    ],
    [
      { kind: 'tableExpression', datamodel: 'Retail', table: 'Top Customers' },
      'datamodels/Retail/tables/Top Customers.datamodel.sql',
    ],
    [
      { kind: 'columnExpression', datamodel: 'Retail', table: 'Customers', column: 'Full Name' },
      'datamodels/Retail/tables/Customers/Full Name.datamodel.sql',
    ],
    [
      {
        kind: 'relation',
        datamodel: 'Retail',
        columns: [
          { table: 'Customers', column: 'Customer Id' },
          { table: 'Orders', column: 'Customer Id' },
        ],
      },
      'datamodels/Retail/relations/Customers.Customer Id - Orders.Customer Id.relation.json',
    ],
    [
      { kind: 'rules', datamodel: 'Retail', table: 'Customers', column: 'Region' },
      'datamodels/Retail/rules/Customers.Region.rules.json',
    ],
    [{ kind: 'viewpoint', viewpoint: 'Customer Value' }, 'viewpoints/Customer Value.viewpoint.json'],
    [
      { kind: 'cubeSetRules', cubeSet: 'World', table: 'Customers', column: 'Region' },
      'cube-sets/World/rules/Customers.Region.rules.json',
    ],
    [{ kind: 'customData', name: 'settings' }, 'custom-data/settings.custom-data.json'],
    [{ kind: 'viewpoint', viewpoint: 'a/b: 100%' }, 'viewpoints/a%2Fb%3A 100%25.viewpoint.json'],
    [{ kind: 'viewpoint', viewpoint: 'con' }, 'viewpoints/%63on.viewpoint.json'],
    [{ kind: 'viewpoint', viewpoint: '.git' }, 'viewpoints/%2Egit.viewpoint.json'],
    [{ kind: 'viewpoint', viewpoint: 'Total. ' }, 'viewpoints/Total%2E%20.viewpoint.json'],
    [{ kind: 'viewpoint', viewpoint: '' }, 'viewpoints/%.viewpoint.json'],
  ])('show the kind and the name of their item: %o', (key, path) => {
    expect(assignPaths([key]).get(formatItemKey(key))).toBe(path);
  });

  test('have a hash if names differ only in case, or are not normalized', () => {
    const names = ['Sales', 'SALES', 'Caf\u00e9', 'Cafe\u0301', 'Other'];
    const paths = assignPaths(names.map((viewpoint) => ({ kind: 'viewpoint', viewpoint })));
    expect([...paths.values()]).toEqual([
      'viewpoints/Sales~6fa125d2.viewpoint.json',
      'viewpoints/SALES~99a45ab7.viewpoint.json',
      'viewpoints/Caf\u00e9.viewpoint.json',
      'viewpoints/Caf\u00e9~b0c34d37.viewpoint.json',
      'viewpoints/Other.viewpoint.json',
    ]);
  });

  test('are distinct and legal on Windows and Unix', () => {
    fc.assert(
      fc.property(distinctKeys, (items) => {
        const paths = assignPaths(items);
        expect(findPathProblem([...paths.values()])).toBeUndefined();
        expect(paths.size).toBe(items.length);
      }),
      { numRuns: getPropertyRuns(200) },
    );
  });

  test('do not depend on the order of the keys', () => {
    fc.assert(
      fc.property(distinctKeys, (items) => {
        const reversed = assignPaths(items.toReversed());
        expect(Object.fromEntries(reversed)).toEqual(Object.fromEntries(assignPaths(items)));
      }),
      { numRuns: getPropertyRuns(50) },
    );
  });

  test('of new items are beside existing files and different from them', () => {
    fc.assert(
      fc.property(distinctKeys, fc.nat(), (items, seed) => {
        const existingItems = items.filter((_item, index) => (seed >> (index % 16)) % 2 === 0);
        const existingPaths = assignPaths(existingItems);
        const paths = assignPaths(
          items,
          existingItems.map((key) => ({ key, path: existingPaths.get(formatItemKey(key)) ?? '' })),
        );
        expect(findPathProblem([...paths.values()])).toBeUndefined();
        expect(paths.size).toBe(items.length);
        for (const [id, path] of existingPaths) {
          expect(paths.get(id)).toBe(path);
        }
      }),
      { numRuns: getPropertyRuns(100) },
    );
  });

  test('of new items follow files and folders that were renamed', () => {
    const paths = assignPaths(
      [
        { kind: 'columnExpression', datamodel: 'Retail', table: 'Customers', column: 'Name' },
        { kind: 'rules', datamodel: 'Retail', table: 'Customers', column: 'Region' },
        { kind: 'table', datamodel: 'Retail', table: 'clients' },
      ],
      [
        {
          key: { kind: 'datamodel', datamodel: 'Retail' },
          path: 'datamodels/Shop/Main.datamodel.json',
        },
        {
          key: { kind: 'table', datamodel: 'Retail', table: 'Customers' },
          path: 'datamodels/Shop/tables/Clients.table.json',
        },
      ],
    );
    expect([...paths.values()].slice(2)).toEqual([
      'datamodels/Shop/tables/Clients/Name.datamodel.sql',
      'datamodels/Shop/rules/Customers.Region.rules.json',
      expect.stringMatching(/^datamodels\/Shop\/tables\/clients~[0-9a-f]{8}\.table\.json$/),
    ]);
  });
});

describe('file name stems', () => {
  test('fold to the same text if some system considers them equal', () => {
    expect(foldPath('Straße')).toBe(foldPath('STRASSE'));
    expect(foldPath('Cafe\u0301')).toBe(foldPath('CAFÉ'));
    fc.assert(
      fc.property(fc.string(), (stem) => {
        // Texts in ASCII take a shortcut.
        expect(foldPath(`${stem}é`)).toBe(`${foldPath(stem)}é`.normalize('NFC'));
      }),
    );
  });

  test('without a hash can be decoded to the name, and no others can', () => {
    fc.assert(
      fc.property(hostileNames, (name) => {
        const stem = getPlainStem([[name]]);
        if (stem !== undefined) {
          expect(decodeStem(stem)).toBe(name);
          // Some systems return decomposed names.
          expect(decodeStem(stem.normalize('NFD'))).toBe(name);
        }
        for (const hashedStem of getHashedStems([[name]])) {
          expect(decodeStem(hashedStem)).toBeUndefined();
        }
        const decodedName = decodeStem(name);
        if (decodedName !== undefined) {
          expect(getPlainStem([[decodedName]])).toBe(name.normalize('NFC'));
        }
      }),
      { numRuns: getPropertyRuns(2000) },
    );
  });

  test('of names that a file system treats as equal are different', () => {
    fc.assert(
      fc.property(hostileNames, (name) => {
        const names = [...new Set([name, ...createConfusableNames(name)])];
        const paths = assignPaths(names.map((viewpoint) => ({ kind: 'viewpoint', viewpoint })));
        expect(findPathProblem([...paths.values()])).toBeUndefined();
      }),
      { numRuns: getPropertyRuns(500) },
    );
  });
});

test('the text of a key is read back as the key', () => {
  fc.assert(
    fc.property(keys, (key) => {
      expect(parseItemKey(formatItemKey(key))).toEqual(key);
    }),
  );
  for (const text of [
    '',
    'table',
    'table/a',
    'viewpoint/a/b',
    'relation/a/b',
    'relation/a',
    'x/a',
    'rules/a/b',
  ]) {
    expect(parseItemKey(text)).toBeUndefined();
  }
});

describe('the files of a project', () => {
  test.each([
    ['datamodels/Retail/tables/Orders.table.json', true],
    ['viewpoints', true],
    ['Sales.viewpoint.json', false],
    ['datamodel-studio.json', false],
    ['copies/viewpoints/Sales.viewpoint.json', false],
    ['inner/datamodels/Retail/tables/Orders.table.json', false],
    ['datamodels/.git/Orders.table.json', false],
    ['viewpoints/.Sales.viewpoint.json', false],
    ['', false],
  ])('%s is in a folder of items: %s', (path, expected) => {
    expect(isInItemFolder(path)).toBe(expected);
  });
});
