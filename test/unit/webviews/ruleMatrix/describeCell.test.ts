import { beforeAll, expect, test, vi } from 'vitest';
import type * as Describe from '../../../../src/webviews/ruleMatrix/describeCell.ts';

const only = (...values: readonly string[]) => ({ kind: 'only', values: new Set(values) }) as const;
const allBut = (...values: readonly string[]) => ({ kind: 'except', values: new Set(values) }) as const;
let descriptions: typeof Describe;

beforeAll(async () => {
  // A page in English: its body contains no translations.
  vi.stubGlobal('document', { body: { dataset: {} } });
  descriptions = await import('../../../../src/webviews/ruleMatrix/describeCell.ts');
});

test('a long list is never described as if it were complete', () => {
  const many = only('a', 'b', 'c', 'd', 'e');
  expect(descriptions.describeCell([many])).toMatchObject({ kind: 'only', text: 'a; b; c', count: 5 });
  expect(descriptions.describeCellShort([many])).toBe('a; b; c; and 2 more');
  expect(descriptions.describeCellShort([allBut('a', 'b', 'c', 'd')])).toBe('All but a; b; c; and 1 more');
  expect(descriptions.describeCellShort([only('a', 'b', 'c')])).toBe('a; b; c');
  expect(descriptions.describeCellShort([many, allBut(), only(), 'unclear'])).toBe(
    'a; b; c; and 2 more | All | Nothing | Uncertain',
  );
});
