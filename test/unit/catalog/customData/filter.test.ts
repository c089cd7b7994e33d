import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLossless } from '../../../../src/base/json.ts';
import { completeFilter } from '../../../../src/catalog/customData/completeFilter.ts';
import { getFilterPosition } from '../../../../src/catalog/customData/filterPosition.ts';
import { collectKeys } from '../../../../src/catalog/customData/collectKeys.ts';
import { parseJsonObject } from '../../../../src/catalog/customData/parseJsonObject.ts';
import { formatCell, getResultColumns, getObjectId } from '../../../../src/catalog/customData/resultTable.ts';
import { getInputRuns, getPropertyRuns } from '../../../support/soak.ts';

const objects = [
  { _id: 'a', app: 'notes', user: { name: 'Ann', age: 7 }, tags: ['x'] },
  { _id: 'b', app: 'notes', done: true },
  { _id: 'c', app: 'todo', done: null, 'odd "key"': 1 },
];
const keys = collectKeys(objects);

/** Returns the labels of the proposals at the mark `|`, or the text after accepting one of them. */
function complete(marked: string, accept?: string): string | readonly string[] {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  const proposals = completeFilter(text, offset, keys);
  if (accept === undefined) {
    return proposals.map(({ label }) => label);
  }
  const proposal = proposals.find(({ label }) => label === accept);
  return proposal === undefined
    ? `no ${accept}`
    : text.slice(0, proposal.start) + proposal.insertText + text.slice(proposal.end);
}

describe('known keys', () => {
  it('are counted with their values, those of inner objects by path', () => {
    expect(keys.map(({ path, count, kinds }) => `${path} ${count} ${kinds.join('|')}`)).toEqual([
      '_id 3 text',
      'app 3 text',
      'done 2 boolean|null',
      'odd "key" 1 number',
      'tags 1 list',
      'user 1 object',
      'user.age 1 number',
      'user.name 1 text',
    ]);
    expect(keys.find(({ path }) => path === 'app')?.values).toEqual(['"notes"', '"todo"']);
  });

  it('of ten thousand objects are counted', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => ({ _id: `${index}`, value: index % 7 }));
    expect(collectKeys(many).map(({ path, count }) => [path, count])).toEqual([
      ['_id', 10_000],
      ['value', 10_000],
    ]);
  });
});

describe('completion in a filter', () => {
  it('starts with braces', () => {
    expect(complete('|')).toEqual(['{ }']);
    expect(complete('|', '{ }')).toBe('{}');
    expect(complete('{}|')).toEqual([]);
  });

  it('proposes keys and logical operators where a name belongs', () => {
    expect(complete('{|')).toEqual(expect.arrayContaining(['app', 'user.name', '$and', '$or', '$nor']));
    expect(complete('{ "us|', 'user.name')).toBe('{ "user.name": ');
    expect(complete('{ us| }', 'user.name')).toBe('{ "user.name":  }');
    expect(complete('{ "app": "notes", "do|')).toEqual(['done']);
    expect(complete('{ "x|y": 1 }', 'user')).toBe('no user');
    expect(complete('{ "|y": 1 }', 'app')).toBe('{ "app": 1 }');
    expect(complete('{ |"y": 1 }', 'app')).toBe('{ "app": "y": 1 }');
    expect(complete('{ "odd|', 'odd "key"')).toBe('{ "odd \\"key\\"": ');
    expect(complete('{ "$or": [{ "ap|', 'app')).toBe('{ "$or": [{ "app": ');
  });

  it('proposes operators inside a condition', () => {
    expect(complete('{ "done": { "$e|')).toEqual(expect.arrayContaining(['$exists', '$eq', '$elemMatch']));
    expect(complete('{ "done": { |', '$exists')).toBe('{ "done": { "$exists": true');
    expect(complete('{ "done": { "$exists": |')).toEqual(['true', 'false']);
  });

  it('proposes values found under the key', () => {
    expect(complete('{ "app": |')).toEqual(['"notes"', '"todo"', '{ "$exists": true }', '{ "$in": [ ] }']);
    expect(complete('{ "app": "t|', '"todo"')).toBe('{ "app": "todo"');
    expect(complete('{ "app": "no|tes" }', '"todo"')).toBe('no "todo"');
    expect(complete('{ "app": { "$in": ["notes", |')).toEqual(['"notes"', '"todo"']);
    expect(complete('{ "user.name": { "$ne": |')).toEqual(['"Ann"']);
  });

  it('property: no input throws, and accepting a proposal replaces text around the caret', () => {
    const pieces = fc.array(
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        '"',
        ':',
        ',',
        ' ',
        'app',
        '$or',
        '$in',
        '\\',
        '🧭',
        '1',
        '\n',
        'true',
      ),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(pieces, fc.nat(60), (parts, caret) => {
        const text = parts.join('');
        const offset = Math.min(caret, text.length);
        for (const { start, end, insertText } of completeFilter(text, offset, keys)) {
          expect(start).toBeLessThanOrEqual(offset);
          expect(end).toBeGreaterThanOrEqual(offset);
          expect(end).toBeLessThanOrEqual(text.length);
          expect(insertText).not.toBe('');
        }
      }),
      { numRuns: getInputRuns(400) },
    );
  });

  it('property: a filter built from proposals is valid JSON', () => {
    fc.assert(
      fc.property(fc.constantFrom('app', 'user.name', 'odd "key"'), fc.nat(20), (key, valueChoice) => {
        const textWithKey = complete('{ |', key);
        const text = String(textWithKey);
        const values = completeFilter(text, text.length, keys);
        const value = values[valueChoice % Math.max(1, values.length)];
        const filterText = `${text}${value?.insertText ?? 'null'} }`;
        expect(parseJsonObject(filterText)).toHaveProperty('object');
      }),
      { numRuns: getPropertyRuns(60) },
    );
  });
});

describe('a view of custom data', () => {
  it('reads objects only, without loss', () => {
    expect(parseJsonObject(' ')).toMatchObject({ problem: 'empty' });
    expect(parseJsonObject('[1]')).toMatchObject({ problem: 'not-object' });
    expect(parseJsonObject('{ "a": ')).toMatchObject({ problem: 'syntax' });
    expect(parseJsonObject('{ "a": 12345678901234567890 }')).toMatchObject({
      object: { a: { rawJSON: '12345678901234567890' } },
    });
  });

  it('shows members as columns, the ID first', () => {
    expect(getResultColumns([...objects, 7, null])).toEqual([
      '_id',
      'app',
      'done',
      'user',
      'tags',
      'odd "key"',
    ]);
    expect(formatCell(objects[0] ?? null, 'user')).toBe('{"name":"Ann","age":7}');
    expect(formatCell(objects[2] ?? null, 'done')).toBe('null');
    expect(formatCell(objects[0] ?? null, 'done')).toBeUndefined();
    expect(formatCell(parseLossless('{"n":1.0}'), 'n')).toBe('1.0');
    expect(getObjectId({ _id: 'x' })).toBe('x');
    expect(getObjectId({ _id: 7 })).toBeUndefined();
  });
});

it('an escaped quote at the caret does not end a name', () => {
  const text = '{"a\\"';
  expect(getFilterPosition(text, text.length)).toMatchObject({ kind: 'name', start: 1 });
  expect(getFilterPosition('{"a\\\\"', 6)).toMatchObject({ kind: 'value' });
});
