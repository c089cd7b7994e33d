import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NodeRegistry } from '../../../../src/features/explorer/nodeRegistry.ts';
import { getPropertyRuns } from '../../../support/soak.ts';

interface Node {
  readonly id: string;
  readonly catalogPart?: string;
}

describe('the nodes that the explorer keeps', () => {
  test('a removed node is forgotten with its descendants, the others are kept', () => {
    const shown = new NodeRegistry<Node>();
    shown.setChildren(undefined, [{ id: 'a', catalogPart: 'models' }]);
    shown.setChildren('a', [{ id: 'a/1' }, { id: 'a/2', catalogPart: 'tables' }]);
    shown.setChildren('a/2', [{ id: 'a/2/x' }]);
    const fresh = { id: 'a/1' };
    shown.setChildren('a', [fresh]);
    expect(shown.find('a/1')).toBe(fresh);
    expect(shown.find('a/2')).toBeUndefined();
    expect(shown.find('a/2/x')).toBeUndefined();
    expect(shown.nodesWithCatalogPart.map(({ id }) => id)).toEqual(['a']);
  });

  test('a refreshed tree keeps the expanded nodes', () => {
    const shown = new NodeRegistry<Node>();
    shown.setChildren(undefined, [{ id: 'a' }]);
    shown.setChildren('a', [{ id: 'a/1' }]);
    shown.setChildren(undefined, [{ id: 'a' }]);
    expect(shown.find('a/1')).toBeDefined();
  });

  test('after any sequence of views, only the current nodes are kept', () => {
    const draw = fc.record({
      parent: fc.constantFrom(undefined, 'a', 'b', 'a/a', 'a/b'),
      names: fc.uniqueArray(fc.constantFrom('a', 'b', 'c')),
    });
    fc.assert(
      fc.property(fc.array(draw, { maxLength: 40 }), (draws) => {
        const shown = new NodeRegistry<Node>();
        const model = new Map<string | undefined, readonly string[]>();
        const isThere = (id: string | undefined): boolean => id === undefined || all().includes(id);
        const all = (from?: string): string[] => (model.get(from) ?? []).flatMap((id) => [id, ...all(id)]);
        for (const { parent, names } of draws) {
          const ids = names.map((name) => (parent === undefined ? name : `${parent}/${name}`));
          shown.setChildren(
            parent,
            ids.map((id) => ({ id, catalogPart: id })),
          );
          if (isThere(parent)) {
            model.set(parent, ids);
          }
          const there = new Set(all());
          for (const id of model.keys()) {
            if (id !== undefined && !there.has(id)) {
              model.delete(id);
            }
          }
          expect(shown.nodesWithCatalogPart.map(({ id }) => id).toSorted()).toEqual([...there].toSorted());
          expect(shown.size).toBe(there.size);
        }
      }),
      { numRuns: getPropertyRuns(200) },
    );
  });
});
