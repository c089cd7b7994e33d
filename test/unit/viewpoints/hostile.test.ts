import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lintViewpoint } from '../../../src/viewpoints/index.ts';
import { numberColumn, catalog, getProblemCodes, findProblems, createViewpoint } from './support.ts';
import { getPropertyRuns } from '../../support/soak.ts';

describe('texts that are not viewpoints', () => {
  test.each(['', '  \n', '\uFEFF', '// nothing yet'])('%j: the document is empty', (document) => {
    expect(getProblemCodes(document)).toEqual(['syntax']);
  });

  test.each(['null', '[]', '"x"', '5', 'true'])('%s is reported as a whole', (document) => {
    expect(findProblems(document)).toEqual([`schema: ${document}`]);
  });

  test.each([
    'nothing',
    '{',
    '{"name"',
    '{"name":',
    '{"name" "x"}',
    "{'name': 1}",
    '{"name": "x',
    '{}}',
    '{"a": 01}',
  ])('%s is a syntax error', (document) => {
    expect(new Set(getProblemCodes(document))).toEqual(new Set(['syntax']));
  });

  test('comments, a byte-order mark, CRLF and tabs are valid; a trailing comma is a warning', () => {
    const document = createViewpoint([numberColumn]).replaceAll('\n', '\r\n').replaceAll('  ', '\t');
    expect(getProblemCodes(`\uFEFF// sales\r\n${document} /* end */`)).toEqual([]);
    expect(lintViewpoint('{"name": "a", "description": "b",\n}')).toMatchObject([
      { code: 'syntax', severity: 'warning', start: 32, end: 33 },
    ]);
    expect(getProblemCodes('{"name": "a", "description": "b", "details": {"columns": [{},]},}')).toEqual([
      'syntax',
      'syntax',
    ]);
  });

  test('offsets refer to the original text, even behind a byte-order mark', () => {
    expect(findProblems('\uFEFF{"name": 5, "id": "😀"}')).toEqual(['schema: "name": 5']);
  });

  test('names of inherited object properties are ordinary keys', () => {
    const document = '{"__proto__": {"name": 5}, "constructor": 1, "toString": [], "hasOwnProperty": null}';
    expect(findProblems(document)).toEqual([
      'schema: "__proto__": {"name": 5}',
      'schema: "constructor": 1',
      'schema: "toString": []',
      'schema: "hasOwnProperty": null',
    ]);
  });

  test('nesting that is too deep is reported, and nothing throws', () => {
    const deep = `{"details": ${'['.repeat(200_000)}`;
    expect(findProblems(deep)).toEqual(['syntax: [']);
    expect(findProblems('{"a":'.repeat(200_000)).length).toBe(1);
  });
});

describe('large texts', () => {
  test('ten megabytes can be read', () => {
    const document = JSON.stringify({ details: { columns: Array(110_000).fill(numberColumn) } });
    expect(document.length).toBeGreaterThan(9_000_000);
    expect(getProblemCodes(document)).toEqual([]);
    expect(lintViewpoint(`[${','.repeat(10_000_000)}`).length).toBeLessThan(200);
  });
});

const keys =
  'name description details datasource columns visibility apps groups users table column dim datatype level agg filter infusion uid defaultDate visible x'.split(
    ' ',
  );

/** JSON with the keys of a viewpoint and random values anywhere. */
const anyViewpoint = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(
      null,
      true,
      false,
      0,
      1.5,
      '',
      'text',
      'datetime',
      'days',
      '[Orders.Status]',
      'Orders',
      'Status',
    ),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.constantFrom(...keys), tie('value'), { maxKeys: 8 }),
})).value;

const expectValidProblems = (document: string): void => {
  for (const problem of lintViewpoint(document, catalog)) {
    expect(problem.start).toBeGreaterThanOrEqual(0);
    expect(problem.end).toBeGreaterThanOrEqual(problem.start);
    expect(problem.end).toBeLessThanOrEqual(document.length);
    expect(problem.message).not.toMatch(/\{\d\}|undefined/);
  }
};

test('property: any value is linted, and every range lies in the text', () => {
  fc.assert(
    fc.property(anyViewpoint, fc.constantFrom(undefined, 2, '\t'), (value, indent) =>
      expectValidProblems(JSON.stringify(value, undefined, indent)),
    ),
    { numRuns: getPropertyRuns(500) },
  );
});

test('property: any text and any part of a viewpoint is linted', () => {
  const whole = createViewpoint([{ ...numberColumn, infusion: { uid: true } }], {
    visibility: { apps: ['x'] },
  });
  const part = fc
    .tuple(fc.nat(whole.length), fc.nat(whole.length), fc.string())
    .map(([from, to, typed]) => whole.slice(0, from) + typed + whole.slice(to));
  fc.assert(fc.property(fc.oneof(fc.string({ unit: 'binary' }), part), expectValidProblems), {
    numRuns: getPropertyRuns(200),
  });
});

test('property: values behind comments and blanks are found as without them', () => {
  const plain = fc.array(anyViewpoint, { maxLength: 4 }).map((columns) => createViewpoint(columns));
  fc.assert(
    fc.property(plain, (document) => {
      const commented = document.replaceAll('\n', ' // note "}\r\n\t/* { */');
      expect(lintViewpoint(commented, catalog).map(({ code, path }) => [code, path])).toEqual(
        lintViewpoint(document, catalog).map(({ code, path }) => [code, path]),
      );
    }),
    { numRuns: getPropertyRuns(200) },
  );
});
