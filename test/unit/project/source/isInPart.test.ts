import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ItemKey } from '../../../../src/project/item.ts';
import { isInPart } from '../../../../src/project/source/isInPart.ts';
import { type InstancePart, createNotReadCheck } from '../../../../src/project/source/readInstance.ts';

const name = fc.constantFrom('A', 'B');

const anyKey: fc.Arbitrary<ItemKey> = fc.oneof(
  ...(['datamodel', 'dataset', 'table', 'tableExpression', 'columnExpression', 'rules'] as const).map(
    (kind) => name.map((datamodel): ItemKey => ({ kind, datamodel, dataset: 'D', table: 'T', column: 'C' })),
  ),
  name.map((datamodel): ItemKey => ({ kind: 'relation', datamodel, columns: [] })),
  name.map((viewpoint): ItemKey => ({ kind: 'viewpoint', viewpoint })),
  name.map((cubeSet): ItemKey => ({ kind: 'cubeSetRules', cubeSet, table: 'T', column: 'C' })),
  name.map((other): ItemKey => ({ kind: 'customData', name: other })),
);

const anyPart: fc.Arbitrary<InstancePart> = fc.oneof(
  fc.constantFrom<InstancePart>({ kind: 'datamodels' }, { kind: 'viewpoints' }, { kind: 'people' }),
  ...(['datamodel', 'rules'] as const).map((kind) =>
    name.map((datamodel): InstancePart => ({ kind, datamodel })),
  ),
  name.map((cubeSet): InstancePart => ({ kind: 'cubeSetRules', cubeSet })),
  name.map((other): InstancePart => ({ kind: 'customData', name: other })),
);

const selection = {
  includesDatamodel: () => true,
  includesViewpoint: () => true,
  hasViewpoints: true,
  cubeSets: ['A', 'B'],
  customData: new Map([
    ['A', {}],
    ['B', {}],
  ]),
};

test('an item is in a part exactly if it is not read because that part could not be read', () => {
  fc.assert(
    fc.property(anyKey, anyPart, (key, part) => {
      const isNotRead = createNotReadCheck(selection, {
        unreadParts: [part],
        listedTitles: part.kind === 'datamodels' ? [] : ['A', 'B'],
        listedViewpoints: part.kind === 'viewpoints' ? undefined : ['A', 'B'],
      });
      expect(isInPart(key, part)).toBe(isNotRead(key));
    }),
  );
});
