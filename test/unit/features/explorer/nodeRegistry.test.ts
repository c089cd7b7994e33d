import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NodeRegistry } from '../../../../src/features/explorer/nodeRegistry.ts';
import { getPropertyRuns } from '../../../support/soak.ts';

interface Node {
  readonly id: string;
  readonly catalogPart?: string;
}

describe('the registry of the nodes in the Connections view', () => {
  test('removes a node that is gone, with its descendants, and keeps the others', () => {
    const registry = new NodeRegistry<Node>();
    registry.setChildren(undefined, [{ id: 'a', catalogPart: 'models' }]);
    registry.setChildren('a', [{ id: 'a/1' }, { id: 'a/2', catalogPart: 'tables' }]);
    registry.setChildren('a/2', [{ id: 'a/2/x' }]);
    const newNode = { id: 'a/1' };
    registry.setChildren('a', [newNode]);
    expect(registry.find('a/1')).toBe(newNode);
    expect(registry.find('a/2')).toBeUndefined();
    expect(registry.find('a/2/x')).toBeUndefined();
    expect(registry.nodesWithCatalogPart.map(({ id }) => id)).toEqual(['a']);
  });

  test('keeps the children of a node when the roots are set again', () => {
    const registry = new NodeRegistry<Node>();
    registry.setChildren(undefined, [{ id: 'a' }]);
    registry.setChildren('a', [{ id: 'a/1' }]);
    registry.setChildren(undefined, [{ id: 'a' }]);
    expect(registry.find('a/1')).toEqual({ id: 'a/1' });
  });

  test('keeps a node that has moved to another parent, in whatever order the parents are loaded', () => {
    const movedNode = { id: 'viewpoint' };
    const registry = new NodeRegistry<Node>();
    registry.setChildren(undefined, [{ id: 'a' }, { id: 'b' }]);
    registry.setChildren('a', [movedNode]);
    registry.setChildren('b', [movedNode]);
    registry.setChildren('a', []);
    expect(registry.find('viewpoint')).toBe(movedNode);
    registry.setChildren('a', [movedNode]);
    registry.setChildren('b', []);
    expect(registry.find('viewpoint')).toBe(movedNode);
    registry.setChildren('a', []);
    expect(registry.find('viewpoint')).toBeUndefined();
  });

  test('after any sequence of updates, it has exactly the current nodes', () => {
    const arbitraryChildren = fc.record({
      parent: fc.constantFrom(undefined, 'a', 'b', 'a/a', 'a/b'),
      names: fc.uniqueArray(fc.constantFrom('a', 'b', 'c')),
    });
    fc.assert(
      fc.property(fc.array(arbitraryChildren, { maxLength: 40 }), (updates) => {
        const registry = new NodeRegistry<Node>();
        const childIds = new Map<string | undefined, readonly string[]>();
        const isRegistered = (id: string | undefined): boolean =>
          id === undefined || getDescendantIds().includes(id);
        const getDescendantIds = (parentId?: string): string[] =>
          (childIds.get(parentId) ?? []).flatMap((id) => [id, ...getDescendantIds(id)]);
        for (const { parent, names } of updates) {
          const ids = names.map((name) => (parent === undefined ? name : `${parent}/${name}`));
          registry.setChildren(
            parent,
            ids.map((id) => ({ id, catalogPart: id })),
          );
          if (isRegistered(parent)) {
            childIds.set(parent, ids);
          }
          const expectedIds = new Set(getDescendantIds());
          for (const id of childIds.keys()) {
            if (id !== undefined && !expectedIds.has(id)) {
              childIds.delete(id);
            }
          }
          expect(registry.nodesWithCatalogPart.map(({ id }) => id).toSorted()).toEqual(
            [...expectedIds].toSorted(),
          );
          expect(registry.size).toBe(expectedIds.size);
        }
      }),
      { numRuns: getPropertyRuns(200) },
    );
  });
});
