import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { parseJsonTree } from '../../../../src/json/text/parseJsonTree.ts';
import { createKeyEdits, type PathEdit, createPathTextEdits } from '../../../../src/json/text/pathEdit.ts';
import { applyEdits } from '../../../../src/base/textEdit.ts';
import { getPropertyRuns } from '../../../support/soak.ts';

const remove = (...path: (string | number)[]): PathEdit => ({ op: 'remove', path });
const set = (value: unknown, ...path: (string | number)[]): PathEdit => ({ op: 'set', path, value });
const insert = (value: unknown, ...path: (string | number)[]): PathEdit => ({ op: 'insert', path, value });

const editText = (text: string, edits: readonly PathEdit[]): string =>
  applyEdits(text, createPathTextEdits(parseJsonTree(text), edits));

const joinLines = (...texts: string[]): string => texts.join('\n');

describe('remove', () => {
  const document = joinLines(
    '{',
    '  // first',
    '  "a": 1, // one',
    '  "b": 2,',
    '  /* c */ "c": 3 // three',
    '}',
  );

  test.each([
    ['a', joinLines('{', '  // first', '  // one', '  "b": 2,', '  /* c */ "c": 3 // three', '}')],
    ['b', joinLines('{', '  // first', '  "a": 1, // one', '  /* c */ "c": 3 // three', '}')],
    ['c', joinLines('{', '  // first', '  "a": 1, // one', '  "b": 2', '  /* c */ // three', '}')],
    ['d', document],
  ])('%s is deleted with its line, comments stay', (key, expected) => {
    expect(editText(document, [remove(key)])).toBe(expected);
  });

  test.each([
    ['{"a":1,"b":2,"c":3}', ['a'], '{"b":2,"c":3}'],
    ['{"a":1,"b":2,"c":3}', ['b'], '{"a":1,"c":3}'],
    ['{"a":1,"b":2,"c":3}', ['c'], '{"a":1,"b":2}'],
    ['{ "a": 1, "b": 2 }', ['a'], '{ "b": 2 }'],
    ['{ "a": 1, "b": 2 }', ['b'], '{ "a": 1 }'],
    ['{ "a": 1 }', ['a'], '{}'],
    ['{ "a": 1, "b": 2, }', ['b'], '{ "a": 1, }'],
    ['[1, 2, 3]', [0], '[2, 3]'],
    ['[1, 2, 3]', [2], '[1, 2]'],
    ['{\n// h\n"a": 1, /* x */ "b": 2 /* y */}', ['b'], '{\n// h\n"a": 1 /* x */ /* y */}'],
    ['{"a": 1 /* x */ , "b": 2}', ['a'], '{/* x */ "b": 2}'],
    ['{\r\n\t"a": 1,\r\n\t"b": 2\r\n}', ['b'], '{\r\n\t"a": 1\r\n}'],
  ])('%s without %j becomes %s', (text, path, expected) => {
    expect(editText(text, [remove(...path)])).toBe(expected);
  });
});

test('a remaining comment is not swallowed by the line comment before it', () => {
  const text = '{"c":{\n // r\n "a": 1\n, /* r */ "e": 2 /* s */ }, "d": 1}';
  expect(JSON.parse(editText(text, [set({ c: 3 }, 'c')]).replaceAll(/\/\/.*|\/\*.*?\*\//g, ''))).toEqual({
    c: { c: 3 },
    d: 1,
  });
});

describe('set and insert', () => {
  test.each([
    ['{"a":1}', [set(2, 'a')], '{"a":2}'],
    ['{"a":1}', [set({ x: 1 }, 'b')], '{"a":1,"b":{"x":1}}'],
    ['{ "a": 1 }', [set({ all: true }, 'b')], '{ "a": 1, "b": { "all": true } }'],
    ['{}', [set(1, 'a')], '{"a":1}'],
    ['{"a": null}', [set(1, 'a', 'b')], '{"a": { "b": 1 }}'],
    ['{"a": 5}', [set(1, 'a', 'b')], '{"a": 5}'],
    ['[1, 2]', [insert(0, 0)], '[0, 1, 2]'],
    ['[1, 2]', [insert(3, 2)], '[1, 2, 3]'],
    ['[1,2]', [insert(3, 2)], '[1,2,3]'],
    ['{"a": 1,}', [set(2, 'b')], '{"a": 1, "b": 2,}'],
  ])('%s edited by %j becomes %s', (text, edits, expected) => {
    expect(editText(text, edits)).toBe(expected);
  });

  test('a new member is on its own line, after the comment on the previous one', () => {
    expect(editText(joinLines('{', '\t"a": 1 // one', '}'), [set({ all: true }, 'b')])).toBe(
      joinLines('{', '\t"a": 1, // one', '\t"b": {', '\t\t"all": true', '\t}', '}'),
    );
    expect(editText('{\r\n  "a": 1,\r\n}', [set(2, 'b')])).toBe('{\r\n  "a": 1,\r\n  "b": 2,\r\n}');
    expect(
      editText(joinLines('{', '  "a": {', '    "x": []', '  }', '}'), [
        set(1, 'a', 'y'),
        insert(1, 'a', 'x', 0),
      ]),
    ).toBe(joinLines('{', '  "a": {', '    "x": [', '      1', '    ],', '    "y": 1', '  }', '}'));
  });

  test('a renamed key keeps its value and its position', () => {
    const text = '{"a" /* x */ : 1, "b": 2}';
    expect(applyEdits(text, createKeyEdits(parseJsonTree(text), ['a'], 'c"'))).toBe(
      '{"c\\"" /* x */ : 1, "b": 2}',
    );
    expect(createKeyEdits(parseJsonTree(text), ['c'], 'd')).toEqual([]);
  });
});

/** Keys and values of documents; {@link document} adds comments, blanks and line endings anywhere. */
const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.integer(),
    fc.constantFrom('x', '// no', '/*', '"', ',', null),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('any'), { maxLength: 4 }),
  object: fc.dictionary(key, tie('any'), { maxKeys: 4 }),
}));
const filler = fc.constantFrom('', ' ', '\n', '\r\n\t', ' /* r */ ', ' // r\n', '\n  // r, "x": }\n  ');

/** Formats a value with the fillers that `next` returns between its tokens. */
function formatWithFillers(node: unknown, next: () => string): string {
  const surround = (text: string): string => next() + text + next();
  if (Array.isArray(node)) {
    return `[${node.map((item) => surround(formatWithFillers(item, next))).join(',') || next()}]`;
  }
  if (typeof node === 'object' && node !== null) {
    const members = Object.entries(node).map(
      ([name, memberValue]) =>
        `${surround(JSON.stringify(name))}:${surround(formatWithFillers(memberValue, next))}`,
    );
    return `{${members.join(',') || next()}}`;
  }
  return JSON.stringify(node);
}

const document = fc
  .tuple(value.object, fc.infiniteStream(filler))
  .map(([root, pieces]) => ({ root, text: formatWithFillers(root, () => pieces.next().value ?? '') }));

const path = fc.array(fc.oneof(key, fc.nat(4)), { minLength: 1, maxLength: 3 });
const change: fc.Arbitrary<PathEdit> = fc.oneof(
  fc.record({ op: fc.constant('remove' as const), path }),
  fc.record({ op: fc.constantFrom('set' as const, 'insert' as const), path, value: value.any }),
);

/** Applies the edit to the plain value. */
function applyEdit(node: unknown, edit: PathEdit): unknown {
  const [step, ...rest] = edit.path;
  const copy: unknown = structuredClone(node);
  if (Array.isArray(copy) && typeof step === 'number') {
    if (rest.length > 0) {
      return step < copy.length ? copy.with(step, applyEdit(copy[step], { ...edit, path: rest })) : copy;
    }
    if (edit.op === 'insert') {
      return step <= copy.length ? copy.toSpliced(step, 0, edit.value) : copy;
    }
    if (edit.op === 'set') {
      return step < copy.length ? copy.with(step, edit.value) : copy;
    }
    return copy.toSpliced(step, 1);
  }
  if (typeof copy !== 'object' || copy === null || Array.isArray(copy) || typeof step !== 'string') {
    return copy;
  }
  const fields = copy as Record<string, unknown>;
  if (rest.length > 0) {
    const inner = fields[step];
    if (edit.op === 'set' && (inner === undefined || inner === null)) {
      return rest.every((one) => typeof one === 'string')
        ? { ...fields, [step]: createNested(rest, edit.value) }
        : copy;
    }
    return step in fields ? { ...fields, [step]: applyEdit(inner, { ...edit, path: rest }) } : copy;
  }
  if (edit.op === 'remove') {
    delete fields[step];
  } else if (edit.op === 'set') {
    fields[step] = edit.value;
  }
  return fields;
}

const createNested = (steps: readonly unknown[], innermost: unknown): unknown =>
  steps.reduceRight((inner, step) => ({ [String(step)]: inner }), innermost);

const countComments = (text: string): number => text.match(/\/\* r \*\/|\/\/ r/g)?.length ?? 0;

test('property: an edit changes the value as expected, and no comment is lost outside the replaced range', () => {
  fc.assert(
    fc.property(document, change, ({ root, text }, edit) => {
      const after = editText(text, [edit]);
      const errors: unknown[] = [];
      expect(parse(after, errors as never, { allowTrailingComma: false })).toEqual(applyEdit(root, edit));
      expect(errors).toEqual([]);
      if (edit.op === 'insert') {
        expect(countComments(after)).toBe(countComments(text));
      }
    }),
    { numRuns: getPropertyRuns(1000) },
  );
});
