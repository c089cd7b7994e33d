import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { effectiveAccess } from '../../../src/security/index.ts';
import { escapeFormulaCell, unescapeFormulaCell } from '../../../src/security/ruleTable/formulaCells.ts';
import { countUnimportableRules } from '../../../src/security/ruleTable/countUnimportableRules.ts';
import { parseColumnHeading } from '../../../src/security/ruleTable/columns.ts';
import { parseRuleTable } from '../../../src/security/ruleTable/parseRuleTable.ts';
import { formatRuleTable } from '../../../src/security/ruleTable/formatRuleTable.ts';
import { computeRuleDifference } from '../../../src/security/change/ruleDifference.ts';
import { getPropertyRuns } from '../../support/soak.ts';
import { everything, nothing, only, rule } from './rules.ts';
import { parties, ruleSets } from './ruleSets.ts';

const heading = 'table,column,access,value,party type,party';
/** @param codes the codes of all problems of the table */
const parseToLines = (text: string, codes: readonly string[] = []): readonly string[] => {
  const { rules, problems } = parseRuleTable(text);
  expect([...new Set(problems.map(({ code }) => code))]).toEqual(codes);
  return rules.map(({ rows, table, column, grant, parties: ruleParties }) =>
    [
      rows.join('+'),
      table,
      column,
      grant.kind,
      [...grant.values].join('|'),
      ruleParties.map(({ type, idOrName }) => `${type}:${idOrName}`).join('|'),
    ].join(' '),
  );
};
/** Rows with a quote that does not start a cell. */
const unquotedQuotes = [`Stores,Region,only,3" pipe,group,sales`, `Stores,Region,only,5" pipe,group,support`];
const listProblems = (...lines: readonly string[]): unknown =>
  parseRuleTable(lines.join('\n')).problems.map(({ code, severity, row, args }) =>
    [severity, row, code, ...args].join(' '),
  );

describe('reading a table of rules', () => {
  it('reads the values of a cell like any other list of values', () => {
    const text = [
      heading,
      'Stores,Region,only,North; South,user,anna',
      'Stores,Region,only,"""a; b""",user,ben',
      'Stores,Region,only,"""""; "" c""",user,eva',
    ].join('\n');
    expect(parseToLines(text, ['several-values'])).toEqual([
      '2 Stores Region only North|South user:anna',
      '3 Stores Region only a; b user:ben',
      '4 Stores Region only | c user:eva',
    ]);
  });

  it('treats the rows of one party, column and access as one rule', () => {
    const text = [
      heading,
      'Stores,Region,only,North,user,anna',
      'Stores,Region,,South,user,anna',
      'Stores,Region,Except,West,user,anna',
      'Stores,Region,only,North,group,anna',
      'Stores,Region,NOTHING,,default,',
      'Stores,Region,everything,,group,Executives',
    ].join('\r\n');
    expect(parseToLines(text)).toEqual([
      '2+3 Stores Region only North|South user:anna',
      '4 Stores Region except West user:anna',
      '5 Stores Region only North group:anna',
      '6 Stores Region only  default:',
      '7 Stores Region except  group:Executives',
    ]);
  });

  it.each(['\n', '\r\n', '\r'])(
    'takes a quote within a cell for text, with the line ending %j',
    (lineEnd) => {
      expect(parseToLines([heading, ...unquotedQuotes].join(lineEnd))).toEqual([
        '2 Stores Region only 3" pipe group:sales',
        '3 Stores Region only 5" pipe group:support',
      ]);
    },
  );

  it('reports a quote that is not closed in a long file', () => {
    const rows = 'Stores,Region,only,North,user,anna\r\n'.repeat(300_000);
    const { problems } = parseRuleTable(`${heading}\r\nStores,Region,only,"North,user,anna\r\n${rows}`);
    expect(problems).toMatchObject([{ code: 'quotes', row: 2 }]);
  });

  it('accepts mixed line endings, and reads several values in a cell', () => {
    const text = `${heading}\r\nStores,Region,only,North,user,anna\nStores,City,only,"a\r\nb",user,ben\rStores,City,only,c,default,\n`;
    expect(parseToLines(text, ['several-values'])).toEqual([
      '2 Stores Region only North user:anna',
      '3 Stores City only a|b user:ben',
      '4 Stores City only c default:',
    ]);
  });

  it('treats rows with the same text in "rule" as one rule of several parties', () => {
    const text = [`rule,${heading}`, 'a,T,C,,1,user,anna', 'a,T,C,,2,group,red', 'b,T,C,,1,user,anna'].join(
      '\n',
    );
    expect(parseToLines(text)).toEqual(['2+3 T C only 1|2 user:anna|group:red', '4 T C only 1 user:anna']);
  });

  it.each([
    ['Table', 'table'],
    ['PARTY_TYPE', 'party type'],
    ['Members', 'value'],
    ['Party-Id', 'party'],
    ['constructor', undefined],
    ['toString', undefined],
    ['__proto__', undefined],
    ['', undefined],
  ])('the heading %j is that of the column %s', (heading, column) => {
    expect(parseColumnHeading(heading)).toBe(column);
  });

  it.each<[string, string]>([
    ['tabs', `${heading.replaceAll(',', '\t')}\nT\tC\t\t1,5\tuser\tanna`],
    ['semicolons', `${heading.replaceAll(',', ';')}\nT;C;;"1,5";user;anna`],
    [
      'a byte-order mark, quotes and blank lines',
      `\u{feff}\n${heading}\n\n"T","C","","1,5",user,anna\n\n , ,,,,\n`,
    ],
    ['other headings in another order', `Party Id,PARTY_TYPE,Members,Column,Table\nanna,User,"1,5",C,T`],
  ])('reads %s', (_name, text) => {
    expect(parseToLines(text).map((line) => line.replace(/^\d+ /, ''))).toEqual(['T C only 1,5 user:anna']);
  });

  it.each<[string, readonly string[], readonly string[]]>([
    ['an empty file', [''], ['error 1 empty']],
    ['no heading', ['Stores,Region,only'], ['error 1 missing-column table, column, party type']],
    ['an open quote', [heading, 'T,C,,"1,user,anna'], ['error 2 quotes']],
    [
      'missing cells',
      [heading, ',C,,1,user,anna', 'T,,,1,user,anna', 'T,C,,1,user,'],
      ['error 2 cell-required table', 'error 3 cell-required column', 'error 4 cell-required party'],
    ],
    [
      'no value',
      [heading, 'T,C,only,,user,anna', 'T,D,except, ; ,user,anna'],
      ['error 2 empty-value', 'error 3 empty-value'],
    ],
    [
      'blanks around a value',
      [
        heading,
        'T,C,only, North,user,anna',
        'T,C,only,""" South""",user,anna',
        'T,C,,West ; East ,user,anna',
      ],
      ['warning 2 padded-value North', 'warning 4 several-values 2 "West", "East"'],
    ],
    [
      'several values in one cell',
      [
        heading,
        'T,C,only,"Fish; Chips",user,anna',
        'T,C,only,"1;2;3;4;5;6",user,ben',
        'T,C,only,"Fish\nChips",user,cem',
        'T,C,only,"""Fish; Chips""",user,dan',
        'T,C,only,Fish;,user,eve',
        'T,C,nothing,Fish;Chips,user,fay',
      ],
      [
        'warning 2 several-values 2 "Fish", "Chips"',
        'warning 3 several-values 6 "1", "2", "3", "4", "5", …',
        'warning 4 several-values 2 "Fish", "Chips"',
        'warning 7 value-ignored Fish;Chips',
      ],
    ],
    [
      'more fields than columns',
      [heading, 'T,C,only,North,user,anna,South', 'T,C,only,North,user,ben, ,'],
      ['warning 2 surplus-field South'],
    ],
    [
      'unknown columns',
      [`rul,${heading},extra,datatyp, `, ',T,C,only,North,user,anna,x,text,'],
      [
        'warning 1 ignored-column rul rule',
        'warning 1 ignored-column extra',
        'warning 1 ignored-column datatyp datatype',
      ],
    ],
    [
      'a required column with a mistyped name',
      ['tabel,column,party type,extra', 'T,C,user,x'],
      ['error 1 missing-column table', 'warning 1 ignored-column tabel table'],
    ],
    [
      'a column that exists, with a similar one',
      [`${heading},columns`, 'T,C,only,North,user,anna,'],
      ['warning 1 ignored-column columns'],
    ],
    ['short rows', [heading, 'T,C'], ['error 2 unknown-party-type ', 'error 2 empty-value']],
    [
      'unknown words',
      [heading, 'T,C,some,1,role,anna'],
      ['error 2 unknown-access some', 'error 2 unknown-party-type role'],
    ],
    ['a default with a name', [heading, 'T,C,nothing,,default,anna'], ['error 2 default-has-party']],
    ['a value beside Nothing', [heading, 'T,C,nothing,1,default,'], ['warning 2 value-ignored 1']],
    [
      'the access of an uncertain rule',
      [heading, 'T,C,unclear,,default,'],
      ['error 2 unknown-access unclear'],
    ],
    [
      'one rule with two columns',
      [`rule,${heading}`, 'a,T,C,,1,user,anna', 'a,T,D,,1,user,anna'],
      ['error 3 mixed-rule 2'],
    ],
    [
      'an unknown datatype',
      [`datatype,${heading}`, 'date,T,C,,1,user,anna'],
      ['error 2 unknown-datatype date'],
    ],
  ])('names the row of a problem: %s', (_name, lines, expected) => {
    expect(listProblems(...lines)).toEqual(expected);
  });

  it('reads ten thousand rows', () => {
    const rows = Array.from(
      { length: 10_000 },
      (_, index) => `T,C,,v${index % 100},user,u${Math.floor(index / 100)}`,
    );
    expect(parseRuleTable([heading, ...rows].join('\n')).rules).toHaveLength(100);
  });
});

describe('writing a table of rules', () => {
  it('has a row for each value and party', () => {
    const shares = [{ type: 'group', partyId: 'g1', partyName: 'Sales, North' }, { type: 'default' }];
    expect(
      formatRuleTable([
        { ...rule(only('=1+1', 'b"c')), shares },
        rule(nothing, 'default'),
        rule({ members: [] }, 'user:u'),
      ]),
    ).toBe(
      [
        '\u{feff}rule,table,column,datatype,access,value,party type,party,party name',
        `1,Stores,Region,text,only,'=1+1,group,g1,"Sales, North"`,
        `1,Stores,Region,text,only,"b""c",group,g1,"Sales, North"`,
        `1,Stores,Region,text,only,'=1+1,default,,`,
        `1,Stores,Region,text,only,"b""c",default,,`,
        '2,Stores,Region,text,nothing,,default,,',
        '3,Stores,Region,text,unclear,,user,u,',
        '',
      ].join('\r\n'),
    );
  });

  it('writes no cell that a spreadsheet treats as a formula, and loses none', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `'=${text}`),
          fc.constantFrom('=', "'", "''", "'=", '-5', '@a', '\t', "'a"),
        ),
        (text) => {
          expect(escapeFormulaCell(text)).not.toMatch(/^[=+\-@\t\r]/);
          expect(unescapeFormulaCell(escapeFormulaCell(text))).toBe(text);
        },
      ),
    );
    expect(unescapeFormulaCell("'tis")).toBe("'tis");
  });

  it('produces the same rules when it is read back', () => {
    const arbitraryText = fc.stringMatching(/^[ -~\t\n\r,;"'=\u{1f600}]{0,6}$/u);
    fc.assert(
      fc.property(
        ruleSets('Fact.Region', '=Odd, "name".Segment'),
        fc.array(arbitraryText, { minLength: 1 }),
        (ruleSet, members) => {
          const rules = [...ruleSet, rule({ ...only(...members), column: 'Fact.Odd' }, 'user:anna')].filter(
            ({ shares }) => (shares ?? []).length > 0,
          );
          const { rules: read, problems: readProblems } = parseRuleTable(formatRuleTable(rules));
          expect(readProblems).toEqual([]);
          const binding = { kind: 'extract', server: 's', elasticube: 'e' } as const;
          const identify = ({ idOrName }: { idOrName: string }) => idOrName;
          const { adds } = computeRuleDifference({
            tableRules: read,
            existingRules: [],
            binding,
            mode: 'all',
            findPartyId: identify,
          });
          for (const party of parties) {
            const [before, after] = [rules, adds].map((each) =>
              effectiveAccess(each, party).map(({ because: reasons, ...access }) => ({
                ...access,
                count: reasons.length,
              })),
            );
            expect(after).toEqual(before);
          }
          expect(
            computeRuleDifference({
              tableRules: read,
              existingRules: rules,
              binding,
              mode: 'all',
              findPartyId: identify,
            }),
          ).toMatchObject({
            adds: [],
            deletes: [],
            obstacles: [],
          });
        },
      ),
      { numRuns: getPropertyRuns(150) },
    );
  });

  it('keeps Everything and Nothing', () => {
    expect(parseToLines(formatRuleTable([rule(everything, 'user:u'), rule(nothing, 'default')]))).toEqual([
      '2 Stores Region except  user:u',
      '3 Stores Region only  default:',
    ]);
  });
});

it('a rule without parties is written, and each party with its ID and name', () => {
  const shares = [
    'anna',
    { type: 'user', partyId: 'u', partyName: 'Anna' },
    { type: 'default', partyId: 'x' },
    {},
  ];
  const lines = formatRuleTable([rule(only('North')), null, { ...rule(only('A', 'B')), shares }])
    .trimEnd()
    .split('\n');
  expect(lines.slice(1).map((line) => line.trimEnd())).toEqual([
    '1,Stores,Region,text,only,North,,,',
    '3,Stores,Region,text,only,A,user,u,Anna',
    '3,Stores,Region,text,only,B,user,u,Anna',
    '3,Stores,Region,text,only,A,default,,',
    '3,Stores,Region,text,only,B,default,,',
    '3,Stores,Region,text,only,A,,,',
    '3,Stores,Region,text,only,B,,,',
  ]);
});

test('rules that an import would refuse or lose are counted, each once', () => {
  const valid = {
    table: 'Stores',
    column: 'Region',
    datatype: 'text',
    members: ['=North', ''],
    allMembers: null,
    shares: [{ type: 'user', party: '5f0000000000000000000001' }, { type: 'default' }],
  };
  expect(countUnimportableRules([valid, { ...valid, datatype: undefined }])).toBe(0);
  const unimportable: readonly unknown[] = [
    { ...valid, members: [] },
    { ...valid, shares: [] },
    { ...valid, shares: [{ type: 'role', party: '5f0000000000000000000001' }] },
    { ...valid, shares: [{ type: 'user' }, { type: 'group' }] },
    { ...valid, datatype: 'date' },
    { ...valid, column: '' },
    null,
  ];
  for (const rule of unimportable) {
    expect(countUnimportableRules([valid, rule]), JSON.stringify(rule)).toBe(1);
  }
  expect(countUnimportableRules([...unimportable, valid])).toBe(unimportable.length);
});
