import { expect, test } from 'vitest';
import {
  applyEdits,
  type Catalog,
  definitionAt,
  diagnose,
  type ExpressionContext,
  format,
  hoverAt,
  renameIn,
  getSemanticTokens,
} from '../../../src/sql/index.ts';
import recorded from '../../fixtures/recorded/column-custom-patch-item.json' with { type: 'json' };

/** The custom column of the vendor's own demo: a SELECT without FROM. */

const { expression, type } = recorded;
const catalog: Catalog = {
  complete: true,
  tables: [
    { name: 'people', columns: ['first name', 'last name'].map((name) => ({ name, type })) },
    { name: 'orders', columns: [{ name: 'amount', type: 8 }] },
  ],
};
const context: ExpressionContext = { kind: 'column', table: 'people', catalog };

test("the vendor's column has no problems, and a typo in it is still found", () => {
  expect(diagnose(expression, context)).toEqual([]);
  const typo = expression.replace('first name', 'firstname');
  expect(diagnose(typo, context)).toMatchObject([{ code: 'unknown-column', start: 7, end: 18 }]);
});

test("the names in the vendor's column have definitions, hovers and colors", () => {
  expect(definitionAt(expression, 10, context)).toEqual({
    kind: 'column',
    table: 'people',
    column: 'first name',
  });
  expect(hoverAt(expression, 10, context)).toMatchObject({ kind: 'column', title: 'people.first name' });
  expect(getSemanticTokens(expression, context).map((token) => token.type)).toEqual(['column', 'column']);
});

test("a name in the vendor's column is renamed", () => {
  const edits = renameIn(expression, { table: 'people', column: 'last name' }, 'surname', context);
  expect(applyEdits(expression, edits)).toBe("select [first name] + ' ' + [surname]");
});

test("formatting the vendor's column twice changes nothing more", () => {
  const formatted = format(expression);
  expect(formatted).toBe("select\n  [first name] + ' ' + [last name]");
  expect(format(formatted)).toBe(formatted);
  expect(diagnose(formatted, context)).toEqual([]);
});
