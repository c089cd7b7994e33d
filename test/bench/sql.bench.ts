import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { completionsAt, diagnose, type ExpressionContext, SqlParseCache } from '../../src/sql/index.ts';
import { lex } from '../../src/sql/syntax/lexer.ts';
import { parseExpression, parseStatement } from '../../src/sql/syntax/parser.ts';
import { findSpecTexts } from '../unit/sql/corpus/specTexts.ts';
import { createTemporaryFolder } from '../editor/support/temporaryFolder.ts';
import { type Measurement, compare, measureCpuMs, report } from './harness/bench.ts';
import type { Comparison } from './harness/comparison.ts';
import { loadCodeMirror, loadDtSqlParser, type CompletionPeer } from './sqlPeers.ts';
import { createLargeCatalog, createLongSql, createShortSql, quotingStyles } from './sqlTexts.ts';
import {
  createTokenDeletions,
  createTokenInsertions,
  getKeptPairsRatio,
  createUnclosedQuotes,
} from './sqlTolerance.ts';

/** Picks caret positions after tokens, spread evenly over a text. */
function pickCarets(text: string, count: number): number[] {
  const tokens = [...lex(text).tokens];
  const step = Math.max(1, Math.floor(tokens.length / count));
  return tokens.filter((_, index) => index % step === 0).map(({ end }) => end);
}

const context: ExpressionContext = { kind: 'table', catalog: createLargeCatalog('double') };

/** The duration of one measurement in milliseconds: a single completion is too short to be measured. */
const measurementMs = 10;

/** Creates a measurement of the mean time of runs at different carets. The preparation of a run is not measured. */
const measureAtCarets =
  <Prepared>(
    carets: readonly number[],
    prepare: (offset: number) => Prepared,
    run: (offset: number, prepared: Prepared) => unknown,
  ): Measurement =>
  async (pair) => {
    let totalMs = 0;
    let count = 0;
    while (totalMs < measurementMs) {
      // The carets are everywhere in the text, and the same for both sides of a pair.
      const offset = carets[((pair + carets.length) * 7 + count * 37) % carets.length] ?? 0;
      const prepared = prepare(offset);
      totalMs += await measureCpuMs(() => run(offset, prepared));
      count += 1;
    }
    return totalMs / count;
  };

const prepareNothing = (): undefined => undefined;

/** Copies a concatenated string into one contiguous string, as the editor passes it. */
const copyToContiguousString = (text: string): string => Buffer.from(text).toString();

/** Compares completion with a library, unless that optional development dependency is missing. */
async function compareWithPeer(
  comparison: Pick<Comparison, 'name' | 'what' | 'baseline' | 'limit'>,
  ours: Measurement,
  theirs: Measurement | undefined,
): Promise<void> {
  if (theirs === undefined) {
    process.stderr.write(`${comparison.baseline} is not installed.\n`);
    return;
  }
  await compare({ ...comparison, warmups: 10, minPairs: 20 }, { subject: ours, base: theirs });
}

/** Compares completion of a text: without a cache, where every text is parsed from scratch, and while typing. */
async function benchCompletion(
  prefix: string,
  text: string,
  limits: { readonly whole?: number; readonly typing?: number } = {},
): Promise<void> {
  const carets = pickCarets(text, 400);
  const what = `SQL completion, ${text.split('\n').length.toLocaleString('en-US')} lines`;
  const complete = measureAtCarets(carets, prepareNothing, (offset) => completionsAt(text, offset, context));
  const measurePeer = (peer: CompletionPeer | undefined): Measurement | undefined =>
    peer && measureAtCarets(carets, prepareNothing, (offset) => peer.complete(text, offset));
  await compareWithPeer(
    {
      name: `${prefix}.whole`,
      what: `${what}, without a cache`,
      baseline: '`@codemirror/lang-sql`, the whole text',
      ...(limits.whole === undefined ? {} : { limit: limits.whole }),
    },
    complete,
    measurePeer(codeMirror),
  );
  await compareWithPeer(
    { name: `${prefix}.dtSqlParser`, what: `${what}, without a cache`, baseline: '`dt-sql-parser` (Trino)' },
    complete,
    measurePeer(dtSqlParser),
  );
  const type = codeMirror?.createTypingSession?.(text);
  await compareWithPeer(
    {
      name: `${prefix}.typing`,
      what: `${what}, after a typed letter`,
      baseline: '`@codemirror/lang-sql`, after the same letter',
      ...(limits.typing === undefined ? {} : { limit: limits.typing }),
    },
    createTypingMeasurement(text, carets),
    type && measureAtCarets(carets, prepareNothing, type),
  );
}

/**
 * Measures completion after one letter is typed. The text without the letter is already in the parse cache, as in the
 * library that we compare with; the text with the letter isn't.
 */
function createTypingMeasurement(text: string, carets: readonly number[]): Measurement {
  const cachingContext: ExpressionContext = { ...context, cache: new SqlParseCache() };
  return measureAtCarets(
    carets,
    (offset) => {
      completionsAt(text, offset, cachingContext);
      return copyToContiguousString(`${text.slice(0, offset)}a${text.slice(offset)}`);
    },
    (offset, typedText) => completionsAt(typedText, offset + 1, cachingContext),
  );
}

function benchDiagnostics(text: string): Promise<void> {
  return compare(
    {
      name: 'diagnose',
      what: `SQL diagnostics, ${text.split('\n').length.toLocaleString('en-US')} lines`,
      baseline: 'one completion',
      warmups: 20,
      minPairs: 30,
    },
    {
      subject: () => measureCpuMs(() => diagnose(text, context)),
      base: () => measureCpuMs(() => completionsAt(text, text.length >> 1, context)),
    },
  );
}

async function benchTolerance(): Promise<void> {
  const edits = {
    delete: { what: 'any one token is deleted', create: createTokenDeletions },
    insert: { what: '` o. ` is inserted before any one token', create: createTokenInsertions },
    unclosed: { what: 'any one quote is left open', create: createUnclosedQuotes },
  };
  for (const [name, { what, create }] of Object.entries(edits)) {
    const shares = quotingStyles.map((style) => {
      const text = createShortSql(style);
      const keptRatios = create(text).map((edited) => getKeptPairsRatio(text, edited));
      return keptRatios.reduce((sum, value) => sum + value, 0) / keptRatios.length;
    });
    await report(
      {
        name: `tolerance.${name}`,
        what: `Tables and aliases still known after ${what}, in the worst quoting style; higher is better`,
        baseline: 'those of the intact text',
      },
      Math.min(...shares),
    );
  }
}

/**
 * Counts the texts of a public corpus that parse without errors; `corpus.test.ts` lists the rest, which use another
 * dialect.
 */
async function benchCorpus(): Promise<void> {
  const texts = findSpecTexts();
  const textsWithoutErrors = texts.filter(
    ({ kind, text }) =>
      (kind === 'statement' ? parseStatement(text) : parseExpression(text)).syntaxErrors.length === 0,
  );
  await report(
    {
      name: 'corpus',
      what: 'Texts of a public corpus that parse without errors; higher is better',
      baseline: 'the specs of `pgsql-ast-parser`',
      details: { clean: textsWithoutErrors.length, texts: texts.length },
    },
    textsWithoutErrors.length / texts.length,
  );
}

/** Measures a cold start until the first result, with our SQL modules without the formatter, bundled as shipped. */
async function benchColdStart(): Promise<void> {
  await using folder = await createTemporaryFolder();
  const file = path.join(folder.path, 'language.mjs');
  buildSync({
    entryPoints: [path.join(import.meta.dirname, '../../src/sql/language.ts')],
    bundle: true,
    minify: true,
    format: 'esm',
    mainFields: ['module', 'main'],
    outfile: file,
  });
  const text = createShortSql('double');
  let warmLanguage: { completionsAt: typeof completionsAt } | undefined;
  await compare(
    {
      name: 'coldStart',
      what: 'The first SQL completion, 60 lines, modules loaded already',
      baseline: 'a warm completion',
      warmups: 0,
      maxPairs: 30,
    },
    {
      subject: async (pair) => {
        // A module with another address is loaded, and compiled, again.
        const language: { completionsAt: typeof completionsAt } = await import(
          `${pathToFileURL(file).href}?${pair}`
        );
        warmLanguage ??= language;
        return measureCpuMs(() => language.completionsAt(text, text.indexOf('WHERE') + 6, context));
      },
      base: () => {
        const complete = (): unknown => warmLanguage?.completionsAt(text, text.length >> 1, context);
        Array.from({ length: 20 }, complete);
        return measureCpuMs(complete);
      },
    },
  );
}

const [dtSqlParser, codeMirror] = [
  await loadDtSqlParser(),
  await loadCodeMirror(createLargeCatalog('double')),
];
await benchColdStart();
await benchCompletion('short', createShortSql('double'), { whole: 0.3 });
await benchCompletion('long', createLongSql('double'));
await benchDiagnostics(createLongSql('double'));
await benchTolerance();
await benchCorpus();
