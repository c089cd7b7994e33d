import { describe, expect, it } from 'vitest';
import { getRuleFixes } from '../../../../src/security/fixes/ruleFixes.ts';
import { lintRules } from '../../../../src/security/lint/lintRules.ts';
import { KnownValues } from '../../../../src/security/values/knownValues.ts';
import { getSpellingHint } from '../../../../src/security/values/spellingText.ts';
import { suggestValues } from '../../../../src/security/values/suggestValues.ts';
import { ValueIndex } from '../../../../src/security/values/valueIndex.ts';
import { allBut, everything, only, rule } from '../rules.ts';

const segment = { table: 'Customers', column: 'Segment' };
const createSegmentRule = (parts: Parameters<typeof rule>[0], ...shares: readonly string[]) =>
  rule({ ...parts, column: 'Customers.Segment' }, ...shares);

const collectFromRules = (...rules: readonly unknown[]): KnownValues =>
  new KnownValues([ValueIndex.fromRules(rules)]);

const format = (text: string, ...args: readonly unknown[]): string =>
  text.replaceAll(/\{(\d)\}/g, (_match, index) => String(args[Number(index)]));

describe('known values', () => {
  it('are the values of all rules of the column, including rules that hide them', () => {
    const known = collectFromRules(
      createSegmentRule(only('Club', 'Basic')),
      createSegmentRule(allBut('10', '9')),
      rule(only('North')),
      null,
      { ...createSegmentRule(only()), members: [true, 7, { a: 1 }] },
    );
    expect(known.getValues(segment)).toEqual(['7', '9', '10', 'Basic', 'Club', 'true']);
    expect(known.getValues({ table: 'Customers', column: 'segment' })).toEqual([]);
  });

  it('include the values that viewpoints and custom data contain for a column', () => {
    const index = ValueIndex.fromDocuments([
      { details: { columns: [{ ...segment, filter: { members: ['Club'] } }] } },
      { details: { columns: [{ ...segment, filter: { exclude: { members: ['Basic'] } } }] } },
      { app: 'labels', ...segment, values: ['Gold', 1] },
      { app: 'labels', ...segment, value: 'Silver' },
      { app: 'tags', status: 'open', table: 'Customers' },
      [],
      'text',
    ]);
    expect(new KnownValues([index]).getValues(segment)).toEqual(['1', 'Basic', 'Club', 'Gold', 'Silver']);
  });

  it('are searched for only as deep as real documents are nested', () => {
    const nest = (depth: number, value: unknown): unknown =>
      Array.from({ length: depth }).reduce(
        (inner, _, index) => (index % 2 === 0 ? { inner } : [inner]),
        value,
      );
    const getValuesAtDepth = (depth: number) =>
      new KnownValues([ValueIndex.fromDocuments([nest(depth, { ...segment, values: ['Gold'] })])]).getValues(
        segment,
      );
    expect([0, 7, 8, 9, 20_000].map((depth) => getValuesAtDepth(depth).length)).toEqual([1, 1, 1, 0, 0]);
  });

  it('are the same after they were sent to a page', () => {
    const index = ValueIndex.fromRules([
      createSegmentRule(only('Club')),
      createSegmentRule(only('Club', 'club ')),
    ]);
    const received = ValueIndex.deserialize(JSON.parse(JSON.stringify(index.serialize())));
    expect(received.serialize()).toEqual([
      {
        ...segment,
        values: [
          ['Club', 2],
          ['club ', 1],
        ],
      },
    ]);
    expect(new KnownValues([received]).findOtherSpelling(segment, 'club ')).toBe('Club');
  });
});

describe('another spelling', () => {
  const known = collectFromRules(
    createSegmentRule(only('Club')),
    createSegmentRule(only('Club', 'Basic')),
    createSegmentRule(only('basic')),
  );

  it.each([
    ['club', 'Club'],
    [' CLUB ', 'Club'],
    ['Club', undefined],
    ['Clubs', undefined],
    // Both are equally frequent, so neither is wrong.
    ['Basic', undefined],
    ['basic', undefined],
    ['BASIC', 'Basic'],
  ])('of %j is %j', (value, spelling) => {
    expect(known.findOtherSpelling(segment, value)).toBe(spelling);
  });

  it('is the most frequent of several, or else the first in the order of characters', () => {
    const lists = ['Club', 'cLub', 'Club', 'CLUB'].map((value) => createSegmentRule(only(value)));
    for (const rules of [lists, lists.toReversed()]) {
      expect(collectFromRules(...rules).findOtherSpelling(segment, 'club')).toBe('Club');
      const withoutRepeated = rules.filter(({ members }) => JSON.stringify(members) !== '["Club"]');
      expect(collectFromRules(...withoutRepeated).findOtherSpelling(segment, 'club')).toBe('CLUB');
    }
  });

  it('is found for those values of a rule that have one', () => {
    const values = new Set(['club', 'Clubs', 'BASIC', 'Club']);
    expect(known.findOtherSpellings({ ...segment, values })).toEqual([
      { value: 'club', otherSpelling: 'Club' },
      { value: 'BASIC', otherSpelling: 'Basic' },
    ]);
  });

  it('is not looked for in the rule itself, nor on other columns', () => {
    expect(known.findOtherSpelling(segment, 'BASIC', new Set(['Basic']))).toBe('basic');
    expect(known.findOtherSpelling(segment, 'Basic', new Set(['Basic']))).toBe('basic');
    expect(known.findOtherSpelling({ table: 'Customers', column: 'City' }, 'club')).toBeUndefined();
  });

  it('is not taken from a saved rule that the document has corrected', () => {
    const saved = collectFromRules(
      createSegmentRule({ ...only('club'), id: '1' }),
      createSegmentRule({ ...only('club'), id: '2' }),
    );
    const corrected = [
      createSegmentRule({ ...only('Club'), id: '1' }, 'default'),
      createSegmentRule({ ...only('Club'), id: '2' }, 'user:a'),
    ];
    expect(lintRules(corrected, undefined, saved)).toEqual([]);
    expect(lintRules(corrected.slice(0, 1), undefined, saved).map(({ args }) => args)).toEqual([
      ['Club', 'club'],
    ]);
    expect(saved.withRules(corrected).getValues(segment)).toEqual(['Club']);
  });

  it('is a warning at the value, with a fix that replaces the value, or removes it if it becomes a duplicate', () => {
    const rules = [
      createSegmentRule(only('Other', 'club'), 'default'),
      createSegmentRule({ ...only('Club', ' club'), exclusionary: true }, 'user:a'),
      createSegmentRule({ ...everything, members: ['CLUB'] }, 'user:b'),
    ];
    const allFindings = lintRules(rules, undefined, collectFromRules(createSegmentRule(only('Club'))));
    const findings = allFindings.filter(({ code }) => code === 'other-spelling');
    expect(allFindings.map(({ index, code }) => [index, code])).toContainEqual([2, 'all-members-true']);
    expect(allFindings).toHaveLength(findings.length + 1);
    expect(
      findings.map(({ index, severity, path, message }) => ({ index, severity, path, message })),
    ).toEqual([
      {
        index: 0,
        severity: 'warning',
        path: ['members', 1],
        message: '"club" is spelled "Club" in other rules on this column.',
      },
      {
        index: 1,
        severity: 'warning',
        path: ['members', 1],
        message: '" club" is spelled "Club" in other rules on this column.',
      },
    ]);
    expect(findings.flatMap((finding) => getRuleFixes(finding, rules)).map(({ edits }) => edits)).toEqual([
      [{ op: 'set', path: [0, 'members', 1], value: 'Club' }],
      [{ op: 'remove', path: [1, 'members', 1] }],
    ]);
  });

  it('is named in the hint below a typed list', () => {
    expect(getSpellingHint(['Other', 'club', 'BASIC'], segment, known, format)).toBe(
      '"club" is spelled "Club" in other rules on this column.',
    );
    expect(getSpellingHint(['Other'], segment, known, format)).toBeUndefined();
  });
});

describe('suggestions', () => {
  const values = ['Basic', 'Club', 'Golf Club', 'a; b'];
  const suggest = (text: string, isCell = false): readonly string[] =>
    suggestValues(text, values, { joiner: '; ', isCell, maxCount: 3 }).map((each) => each.text);

  it('do not take missing text for the empty value', () => {
    const suggest = (text: string): readonly string[] =>
      suggestValues(text, ['', 'North', 'South'], { joiner: '; ', maxCount: 3 }).map((each) => each.text);
    expect(suggest('')).toEqual(['""', 'North', 'South']);
    expect(suggest('North; ')).toEqual(['North; ""', 'North; South']);
    expect(suggest('""')).toEqual(['""; North', '""; South']);
  });

  it('in a list that is not a cell take | for a part of a value', () => {
    const suggest = (text: string): readonly string[] =>
      suggestValues(text, ['a|b', 'b'], { joiner: '\n', maxCount: 3 }).map((each) => each.text);
    expect(suggest('a|')).toEqual(['"a|b"']);
    expect(suggest('nothing')).toEqual([]);
  });

  it.each([
    ['', ['Basic', 'Club', 'Golf Club']],
    ['cl', ['Club', 'Golf Club']],
    ['Basic; CL', ['Basic; Club', 'Basic; Golf Club']],
    ['Basic', ['Basic; Club', 'Basic; Golf Club', 'Basic; "a; b"']],
    ['Basic; ', ['Basic; Club', 'Basic; Golf Club', 'Basic; "a; b"']],
    ['Club;ba', ['Club;Basic']],
    ['"a; b"; ', ['"a; b"; Basic', '"a; b"; Club', '"a; b"; Golf Club']],
    ['Basic; Club; golf', ['Basic; Club; Golf Club']],
    ['nothing of it', []],
    ['Basic | cl', []],
  ])('for %j are %j', (text, texts) => {
    expect(suggest(text)).toEqual(texts);
  });

  it.each([
    ['All but cl', ['All but Club', 'All but Golf Club']],
    ['Basic | cl', ['Basic | Club', 'Basic | Golf Club']],
    ['All but Club; ', ['All but Club; Basic', 'All but Club; Golf Club', 'All but Club; "a; b"']],
    ['All but Club', ['All but Club; Basic', 'All but Club; Golf Club', 'All but Club; "a; b"']],
    ['Basic; Club | cl', ['Basic; Club | Club', 'Basic; Club | Golf Club']],
    ['Basic; Club | ', ['Basic; Club | Basic', 'Basic; Club | Club', 'Basic; Club | Golf Club']],
    ['Basic | All but Club; cl', ['Basic | All but Club; Golf Club']],
    ['All', []],
    ['nothing', []],
  ])('in a cell for %j are %j', (text, texts) => {
    expect(suggest(text, true)).toEqual(texts);
  });
});
