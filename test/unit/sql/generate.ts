import * as fc from 'fast-check';
import { CATALOG } from './model.ts';
import { CLEAN_EXPRESSIONS, CLEAN_STATEMENTS } from './cases/clean.ts';

const WORDS =
  'SELECT FROM WHERE JOIN LEFT ON AND OR NOT IN IS NULL CASE WHEN THEN ELSE END AS WITH UNION ALL GROUP BY ORDER ' +
  'HAVING BETWEEN LIKE EXISTS OVER PARTITION ROWS LIMIT OFFSET FETCH TOP DISTINCT USING NATURAL CAST LATERAL VALUES ' +
  'RECURSIVE ( ) , . ; * + - || = <> :: ? : -- /* */ " [ ] ` ]] Orders o Amount "Name" `x` 1 01 .5 o. Lookup( SUM( c Ж';

const PIECES = [...WORDS.split(' '), '\n', "'", "'text'", '[Order Id]', '\u{1f600}', '\u00a0'];

/** Random token sequences, most of them nonsense. */
export const tokenSequence: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 60 })
  .chain((pieces) => fc.constantFrom(' ', '', '\n').map((separator) => pieces.join(separator)));

export const cleanTexts: readonly string[] = [
  ...CLEAN_STATEMENTS.split('\n'),
  ...CLEAN_EXPRESSIONS.split('\n'),
]
  .filter((line) => line !== '')
  .map((line) => line.replaceAll('⏎', '\n'));

/** Valid texts with one part cut out or replaced, or with something inserted. */
export const brokenText: fc.Arbitrary<string> = fc
  .record({
    text: fc.constantFrom(...cleanTexts),
    from: fc.nat({ max: 200 }),
    length: fc.nat({ max: 12 }),
    inserted: fc.constantFrom('', ' ', ' o. ', '(', ')', '[', "'", '"', ',', 'FROM', '\n'),
  })
  .map(({ text, from, length, inserted }) => text.slice(0, from) + inserted + text.slice(from + length));

export const anyText: fc.Arbitrary<string> = fc.oneof(
  tokenSequence,
  brokenText,
  fc.string({ maxLength: 80 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
);

const SPACED = `'a  b'|"c  d"|[e  f]|\`g  h\`|'|"|[|]|SELECT|FROM|a|,|(|)|;|--x  y|\n|/* q  r */|  |N|.`;

/** Texts of quotes with significant blanks, and of quotes that are never closed. */
export const spacedText: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...SPACED.split('|')), { maxLength: 14 })
  .map((pieces) => pieces.join(' '));

/** SQLite supports brackets but not their escape, so a name with a bracket gets the other quotes. */
function createQuotedName(name: string): fc.Arbitrary<string> {
  const doubled = `"${name.replaceAll('"', '""')}"`;
  return name.includes(']') ? fc.constant(doubled) : fc.constantFrom(doubled, `[${name}]`);
}

/** A source of a generated query: its alias and the columns that can be named through it. */
interface GeneratedSource {
  readonly sql: string;
  readonly alias: string;
  readonly columns: readonly string[];
}

function createTableSource(alias: string): fc.Arbitrary<GeneratedSource> {
  return fc.constantFrom(...CATALOG.tables).chain((table) =>
    createQuotedName(table.name).map((sql) => ({
      sql: `${sql} ${alias}`,
      alias,
      columns: table.columns.map(({ name }) => name),
    })),
  );
}

function createDerivedSource(alias: string): fc.Arbitrary<GeneratedSource> {
  return createTableSource('inner_one').chain((source) =>
    fc.record({ column: fc.constantFrom(...source.columns), star: fc.boolean() }).chain(({ column, star }) =>
      createQuotedName(column).map((name) => ({
        sql: star
          ? `(SELECT * FROM ${source.sql}) ${alias}`
          : `(SELECT inner_one.${name} AS renamed, ${name} FROM ${source.sql}) ${alias}`,
        alias,
        columns: star ? source.columns : ['renamed', column],
      })),
    ),
  );
}

function createColumnRef(sources: readonly GeneratedSource[]): fc.Arbitrary<string> {
  const names = [
    ...CATALOG.tables.flatMap(({ columns }) => columns.map(({ name }) => name)),
    'renamed',
    'nowhere',
  ];
  const qualifiers = [...sources.map(({ alias }) => alias), 'z'];
  return fc
    .record({
      qualified: fc.boolean(),
      qualifier: fc.constantFrom(...qualifiers),
      fromSource: fc.boolean(),
      anyName: fc.constantFrom(...names),
      index: fc.nat(),
    })
    .chain(({ qualified, qualifier, fromSource, anyName, index }) => {
      const source = sources.find(({ alias }) => alias === qualifier);
      const columns = source?.columns ?? [];
      const name = fromSource && columns.length > 0 ? (columns[index % columns.length] ?? anyName) : anyName;
      return createQuotedName(name).map((sql) => (qualified ? `${qualifier}.${sql}` : sql));
    });
}

/** Queries with valid syntax and valid or invalid names: an engine can decide which. */
export const generatedQuery: fc.Arbitrary<string> = fc
  .tuple(
    fc.oneof(createTableSource('a'), createDerivedSource('a')),
    fc.option(fc.oneof(createTableSource('b'), createDerivedSource('b'))),
    fc.boolean(),
  )
  .chain(([first, second, correlated]) => {
    const sources = second === null ? [first] : [first, second];
    const from = second === null ? first.sql : `${first.sql} JOIN ${second.sql} ON 1 = 1`;
    return fc
      .tuple(createColumnRef(sources), createColumnRef(sources), createColumnRef(sources))
      .map(([selected, grouped, filtered]) => {
        const where = correlated
          ? `EXISTS (SELECT 1 FROM [Customers] k WHERE k.[Name] = ${filtered})`
          : `${filtered} IS NOT NULL`;
        return `SELECT ${selected}, COUNT(*) AS n FROM ${from} WHERE ${where} GROUP BY ${grouped}`;
      });
  });
