import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DiagramModel } from '../../../../src/webviews/diagramLayout/diagramModel.ts';
import { type SceneColors, createScene } from '../../../../src/webviews/diagramLayout/scene.ts';
import { resolveOverlaps } from '../../../../src/webviews/diagramLayout/resolveOverlaps.ts';
import { renderSvg } from '../../../../src/webviews/diagramLayout/svg.ts';
import { getBoxSize } from '../../../../src/webviews/diagramLayout/boxMetrics.ts';
import { anyModel, createModel } from './support.ts';
import { getPropertyRuns } from '../../../support/soak.ts';

const numRuns = getPropertyRuns(20);
const colors: SceneColors = {
  background: '#000001',
  box: '#000002',
  header: '#000003',
  border: '#000004',
  text: '#000005',
  muted: '#000006',
  line: '#000007',
  accent: '#000008',
};
const labels = {
  custom: 'custom',
  hidden: 'hidden',
  secured: 'secured',
  formatMoreColumns: (count: number) => `${count} more`,
};

function render(model: DiagramModel, title = 'Model'): string {
  const sizes = model.tables.map((table) => getBoxSize(table, false));
  const corners = sizes.map((_size, index) => ({ x: 0, y: index }));
  const rects = resolveOverlaps(corners, sizes);
  const boxes = new Map(model.tables.flatMap(({ id }, index) => (rects[index] ? [[id, rects[index]]] : [])));
  return renderSvg(
    createScene({ model, boxes, expandedTables: new Set() }, colors, labels),
    title,
    'a "font", b',
  );
}

/** Returns the texts between the tags, which must not contain markup. */
const getTextsBetweenTags = (text: string): readonly string[] => text.split(/<[^<>]*>/);

test('markup in names is escaped', () => {
  const name = '<script>alert(1)</script>&amp;"\' \u0000\u001b ]]>';
  const text = render(createModel([`${name}: <b>, A`], []), name);
  expect(text).not.toContain('<script');
  expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;&quot;' \uFFFD\uFFFD ]]&gt;");
  expect(text).toContain('font-family="a &quot;font&quot;, b"');
});

test('whatever the names, the file is well-formed and self-contained', () => {
  const anyText = fc.string({ unit: 'binary', maxLength: 20 });
  fc.assert(
    fc.property(anyModel, anyText, (model, title) => {
      const text = render(model, title);
      expect(text.match(/<svg[ >]/g)?.length).toBe(text.match(/<\/svg>/g)?.length);
      expect(getTextsBetweenTags(text).every((part) => !/&(?!(amp|lt|gt|quot|#9|#10|#13);)/.test(part))).toBe(
        true,
      );
      expect(/\p{Cc}/u.test(text.replaceAll('\n', ''))).toBe(false);
      expect(text.isWellFormed()).toBe(true);
      expect(text).not.toMatch(/href|url\(|var\(|<style|<image|<foreignObject/);
    }),
    { numRuns },
  );
});

test('the image contains columns, lines and the number of further columns', () => {
  const text = render(
    createModel(['Orders: Id, Store Id, Note', 'Stores: Id'], ['Orders.Store Id = Stores.Id']),
  );
  expect(text).toContain('>Store Id</text>');
  expect(text).toContain('>2 more</text>');
  expect(text).not.toContain('>Note</text>');
  expect(text.match(/<path /g)).toHaveLength(1);
});

test('an empty model is rendered as an empty image', () => {
  expect(render(createModel([]))).toMatch(/^<svg /);
});
