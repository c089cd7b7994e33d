import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMatrixCell } from '../../../../src/security/matrix/cellText.ts';
import { parseRuleTable } from '../../../../src/security/ruleTable/parseRuleTable.ts';
import { formatRuleTable } from '../../../../src/security/ruleTable/formatRuleTable.ts';
import { formatValues } from '../../../../src/security/values/formatValues.ts';
import { countValuesIfSplitAtCommas, parseValues } from '../../../../src/security/values/valueText.ts';
import { getPropertyRuns } from '../../../support/soak.ts';
import { only, rule } from '../rules.ts';

describe('a list of values', () => {
  it.each([
    ['', []],
    [' ;\n; ', []],
    ['North', ['North']],
    [' North ;South;; North ', ['North', 'South']],
    ['North\r\nSouth\n', ['North', 'South']],
    ['Smith, John', ['Smith, John']],
    ['All; nothing | ?', ['All', 'nothing | ?']],
    ['""', ['']],
    ['"a; b" ; " c "\n"d|e"', ['a; b', ' c ', 'd|e']],
    ['"say ""hi""; now"', ['say "hi"; now']],
    ['"C:\\new"', ['C:\\new']],
    // A quote within a value, and one that is not closed on its line, belong to the value.
    ['5" disk; 6" disk', ['5" disk', '6" disk']],
    ['"quoted" text; "open\nlast"', ['"quoted" text', '"open', 'last"']],
    ['\\.a\\;b; \\.c\\|d; \\.e\\\\f; \\.g\\nh', ['a;b', 'c|d', 'e\\f', 'g\nh']],
    ['\\. padded \\.; \\.', [' padded ', '']],
    ['\\.a\\;"b"', ['a;"b"']],
    // Without the prefix `\.`, a backslash is a backslash.
    ['DOMAIN\\nick; \\\\server\\team; C:\\temp\\', ['DOMAIN\\nick', '\\\\server\\team', 'C:\\temp\\']],
    ['a\\;"b; c"', ['a\\', 'b; c']],
  ])('reads %j', (text, expected) => {
    expect(parseValues(text)).toEqual(expected);
  });

  it.each([
    [['North', 'South'], 'North; South'],
    [['Smith, John', '5" disk'], 'Smith, John; 5" disk'],
    [['a; b', ' c', '', 'd|e', 'C:\\new'], '"a; b"; " c"; ""; "d|e"; C:\\new'],
    [['All', 'NOTHING', '?', 'all but x', 'Allison'], '"All"; "NOTHING"; "?"; "all but x"; Allison'],
    [['"a"', '"; ', 'a\nb'], '\\."a"; \\."\\; \\.; \\.a\\nb'],
  ])('writes %j', (values, expected) => {
    expect(formatValues(values)).toBe(expected);
  });

  it.each([
    ['North; South', undefined],
    ['North, South', 2],
    ['North, South; West', 3],
    ['All but North, South | West, East', 4],
    ['"Smith, John"', undefined],
    [', ', undefined],
    ['North,', undefined],
  ])('counts the values between commas of %j', (text, expected) => {
    expect(countValuesIfSplitAtCommas(text)).toBe(expected);
  });
});

const value = fc.oneof(
  fc.constantFrom('All', 'nothing', 'all but x', '?', '', ' ', '\\', '\\.', ';', '|', '"', '""', '=1', '007'),
  fc.string({ maxLength: 8, unit: 'grapheme' }),
  fc.string({
    maxLength: 6,
    unit: fc.constantFrom('a', '\\', ';', '|', ',', '\n', '\r', '\t', '"', ' ', '.', 'n', '\u00a0', '\u2028'),
  }),
);
const values = fc.uniqueArray(value, { minLength: 1, maxLength: 4 });

it('a written list is read as the same values in a list, in a cell and in a rule table', () => {
  fc.assert(
    fc.property(values, fc.constantFrom('; ' as const, '\n' as const), (list, separator) => {
      const text = formatValues(list, separator);
      expect(parseValues(text)).toEqual(list);
      expect(parseMatrixCell(text)).toEqual({ value: [{ kind: 'only', values: new Set(list) }] });
      const cell = text.replaceAll('"', '""');
      const table = parseRuleTable(`table,column,value,party type\nT,C,"${cell}",default`);
      expect([...(table.rules[0]?.grant.values ?? [])]).toEqual(list);
    }),
    { numRuns: getPropertyRuns(2000) },
  );
});

it('the values of a written table are read back', () => {
  fc.assert(
    fc.property(values, fc.constantFrom('csv', 'tsv'), (list, format) => {
      const { rules, problems } = parseRuleTable(formatRuleTable([rule(only(...list), 'default')], format));
      expect(problems).toEqual([]);
      expect(rules.map(({ grant }) => [...grant.values])).toEqual([list]);
    }),
    { numRuns: getPropertyRuns(1000) },
  );
});
