import { expect, test } from 'vitest';
import { isJsonObject } from '../../../../src/base/json.ts';
import { readJsonInput } from '../../../../src/webviews/viewpointForm/jsonInput.ts';

test.each([
  ['{"a":', { state: 'invalid' }],
  ['', { state: 'invalid' }],
  ['12', { state: 'wrong-kind' }],
  ['9007199254740993', { state: 'wrong-kind' }],
  ['[]', { state: 'wrong-kind' }],
  ['{"a":9007199254740993}', { state: 'loses-digits' }],
  ['{"a":[0.12345678901234567890]}', { state: 'loses-digits' }],
  ['{"a":[1.0,1e3,9007199254740992]}', { state: 'usable', value: { a: [1, 1000, 9_007_199_254_740_992] } }],
])('the input %j is read', (text, expected) => {
  expect(readJsonInput(text, isJsonObject)).toEqual(expected);
});
