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
import { anyModel, largeModels, createModel } from './support.ts';
import { getPropertyRuns } from '../../../support/soak.ts';

const numRuns = getPropertyRuns(20);

/** The boxes of a model in which the tables that match the predicate are expanded. */
function picture(model: DiagramModel, isOpen: (index: number) => boolean = () => false) {
  const open = new Set(model.tables.filter((_table, index) => isOpen(index)).map(({ id }) => id));
  const sizes = model.tables.map((table) => getBoxSize(table, open.has(table.id)));
  const rects = resolveOverlaps(computeLayout(createLayoutInput(model)), sizes);
  return {
    model,
    expandedTables: open,
    boxes: new Map(model.tables.map(({ id }, index) => [id, rects[index] as Rect])),
  };
}

function overlapping(boxes: Iterable<Rect>): number {
  const all = [...boxes];
  return all.flatMap((a, index) => all.slice(index + 1).filter((b) => overlaps(a, b))).length;
}

const liesOn = (box: Rect | undefined, { x, y }: { x: number; y: number }): boolean =>
  box !== undefined && (x === box.x || x === getRight(box)) && y >= box.y && y <= getBottom(box);

describe('for any model', () => {
  test('every table has a box, and no two boxes overlap, however many are expanded', () => {
    fc.assert(
      fc.property(anyModel, fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }), (model, opened) => {
        const { boxes } = picture(model, (index) => opened[index] === true);
        expect(boxes.size).toBe(model.tables.length);
        expect([...boxes.values()].every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(true);
        expect(overlapping(boxes.values())).toBe(0);
      }),
      { numRuns },
    );
  });

  test('every relation has lines whose ends lie on its boxes, at the rows of its columns', () => {
    fc.assert(
      fc.property(anyModel, fc.boolean(), (model, isOpen) => {
        const drawn = picture(model, () => isOpen);
        const lines = createEdges(drawn);
        for (const { id, ends } of model.relations) {
          expect(lines.filter(({ relation }) => relation === id)).toHaveLength(ends.length - 1);
        }
        for (const { ends, from, to } of lines) {
          expect(liesOn(drawn.boxes.get(ends[0].table), from)).toBe(true);
          expect(liesOn(drawn.boxes.get(ends[1].table), to)).toBe(true);
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

  test('expanding a table moves only what it would cover', () => {
    fc.assert(
      fc.property(anyModel, fc.nat(39), (model, opened) => {
        const closed = picture(model).boxes;
        const open = picture(model, (index) => index === opened).boxes;
        for (const [id, box] of closed) {
          expect(open.get(id)?.x).toBe(box.x);
          expect(open.get(id)?.y).toBeGreaterThanOrEqual(box.y);
        }
      }),
      { numRuns },
    );
  });
});

describe('many tables', () => {
  test.each(['chain', 'stars', 'net'])('a %s of 150 tables has roughly the shape of a window', (shape) => {
    const { boxes } = picture(largeModels(150)[shape] as DiagramModel);
    const { width, height } = getBounds(boxes.values());
    expect(overlapping(boxes.values())).toBe(0);
    expect(width / height).toBeGreaterThan(0.6);
    expect(width / height).toBeLessThan(4);
  });

  test('neighbors of a folded chain stay neighbors', () => {
    const drawn = picture(largeModels(150)['chain'] as DiagramModel);
    const { width } = getBounds(drawn.boxes.values());
    for (const { from, to } of createEdges(drawn)) {
      expect(Math.hypot(from.x - to.x, from.y - to.y)).toBeLessThan(width / 3);
    }
  });

  test('models too large for layers still have a layout', () => {
    const { boxes } = picture(largeModels(1600)['stars'] as DiagramModel);
    expect(boxes.size).toBe(1600);
    expect(overlapping(boxes.values())).toBe(0);
  });
});

test('without tables there is no layout', () => {
  expect(computeLayout(createLayoutInput(createModel([])))).toEqual([]);
});

test('tables without relations are placed in rows', () => {
  const { boxes } = picture(
    createModel(Array.from({ length: 30 }, (_value, index) => `Table ${index}: A, B`)),
  );
  expect(new Set([...boxes.values()].map(({ y }) => y)).size).toBeGreaterThan(2);
  expect(overlapping(boxes.values())).toBe(0);
});
