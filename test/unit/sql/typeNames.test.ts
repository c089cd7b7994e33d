import { expect, test } from 'vitest';
import { getColumnType } from '../../../src/contract/terms.ts';
import { getTypeName } from '../../../src/sql/typeNames.ts';

test('SQL names the types of columns as the explorer does', () => {
  for (let code = 0; code < 60; code += 1) {
    expect(getTypeName(code)).toBe(getColumnType(code)?.name);
  }
  expect(getTypeName(undefined)).toBeUndefined();
});
