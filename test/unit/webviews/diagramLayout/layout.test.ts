import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { computeLayout } from '../../../../src/webviews/diagramLayout/computeLayout.ts';
import type { DiagramModel } from '../../../../src/webviews/diagramLayout/diagramModel.ts';
import { createEdges } from '../../../../src/webviews/diagramLayout/edges.ts';
import {
  getBounds,
  getBottom,
  overlaps,
  type Rect,
  getRight,
} from '../../../../src/webviews/diagramLayout/geometry.ts';
import { createLayoutInput } from '../../../../src/webviews/diagramLayout/layoutInput.ts';
import { resolveOverlaps } from '../../../../src/webviews/diagramLayout/resolveOverlaps.ts';
import { getBoxSize } from '../../../../src/webviews/diagramLayout/boxMetrics.ts';
import { anyModel, createLargeModels, createModel } from './support.ts';
import { getPropertyRuns } from '../../../support/soak.ts';
import { expectDefined } from '../../../support/expectations.ts';

const numRuns = getPropertyRuns(20);

/** Lays out a model in which the tables whose index matches the predicate are expanded. */
function layOut(model: DiagramModel, isExpanded: (index: number) => boolean = () => false) {
  const expandedTables = new Set(
    model.tables.filter((_table, index) => isExpanded(index)).map(({ id }) => id),
  );
  const sizes = model.tables.map((table) => getBoxSize(table, expandedTables.has(table.id)));
  const rects = resolveOverlaps(computeLayout(createLayoutInput(model)), sizes);
  return {
    model,
    expandedTables,
    boxes: new Map(model.tables.map(({ id }, index) => [id, expectDefined(rects[index])])),
  };
}

function countOverlaps(boxes: Iterable<Rect>): number {
  const allBoxes = [...boxes];
  return allBoxes.flatMap((a, index) => allBoxes.slice(index + 1).filter((b) => overlaps(a, b))).length;
}

const liesOn = (box: Rect | undefined, { x, y }: { x: number; y: number }): boolean =>
  box !== undefined && (x === box.x || x === getRight(box)) && y >= box.y && y <= getBottom(box);

describe('for any model', () => {
  test('every table has a box, and no two boxes overlap, however many are expanded', () => {
    fc.assert(
      fc.property(
        anyModel,
        fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
        (model, expandedFlags) => {
          const { boxes } = layOut(model, (index) => expandedFlags[index] === true);
          expect(boxes.size).toBe(model.tables.length);
          expect([...boxes.values()].every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(
            true,
          );
          expect(countOverlaps(boxes.values())).toBe(0);
        },
      ),
      { numRuns },
    );
  });

  test('every relation has lines whose ends lie on its boxes', () => {
    fc.assert(
      fc.property(anyModel, fc.boolean(), (model, areAllExpanded) => {
        const geometry = layOut(model, () => areAllExpanded);
        const lines = createEdges(geometry);
        for (const { id, ends } of model.relations) {
          expect(lines.filter(({ relationId }) => relationId === id)).toHaveLength(ends.length - 1);
        }
        for (const { ends, from, to } of lines) {
          expect(liesOn(geometry.boxes.get(ends[0].table), from)).toBe(true);
          expect(liesOn(geometry.boxes.get(ends[1].table), to)).toBe(true);
        }
      }),
      { numRuns },
    );
  });

  test('the same model has the same layout', () => {
    fc.assert(
      fc.property(anyModel, (model) => {
        expect(computeLayout(createLayoutInput(structuredClone(model)))).toEqual(
          computeLayout(createLayoutInput(model)),
        );
      }),
      { numRuns },
    );
  });

  test('expanding a table moves other tables only down', () => {
    fc.assert(
      fc.property(anyModel, fc.nat(39), (model, expandedIndex) => {
        const collapsedBoxes = layOut(model).boxes;
        const expandedBoxes = layOut(model, (index) => index === expandedIndex).boxes;
        for (const [id, box] of collapsedBoxes) {
          expect(expandedBoxes.get(id)?.x).toBe(box.x);
          expect(expandedBoxes.get(id)?.y).toBeGreaterThanOrEqual(box.y);
        }
      }),
      { numRuns },
    );
  });
});

describe('many tables', () => {
  test.each(['chain', 'stars', 'net'] as const)(
    '150 tables (%s) are laid out in roughly the shape of a window',
    (shape) => {
      const { boxes } = layOut(createLargeModels(150)[shape]);
      const { width, height } = getBounds(boxes.values());
      expect(countOverlaps(boxes.values())).toBe(0);
      expect(width / height).toBeGreaterThan(0.6);
      expect(width / height).toBeLessThan(4);
    },
  );

  test('neighbors in a wrapped chain stay close to each other', () => {
    const geometry = layOut(createLargeModels(150).chain);
    const { width } = getBounds(geometry.boxes.values());
    for (const { from, to } of createEdges(geometry)) {
      expect(Math.hypot(from.x - to.x, from.y - to.y)).toBeLessThan(width / 3);
    }
  });

  test('a model that is too large for a layered layout has another layout', () => {
    const { boxes } = layOut(createLargeModels(1600).stars);
    expect(boxes.size).toBe(1600);
    expect(countOverlaps(boxes.values())).toBe(0);
  });
});

test('the layout of a model without tables is empty', () => {
  expect(computeLayout(createLayoutInput(createModel([])))).toEqual([]);
});

test('tables without relations are placed in rows', () => {
  const { boxes } = layOut(
    createModel(Array.from({ length: 30 }, (_value, index) => `Table ${index}: A, B`)),
  );
  expect(new Set([...boxes.values()].map(({ y }) => y)).size).toBeGreaterThan(2);
  expect(countOverlaps(boxes.values())).toBe(0);
});
