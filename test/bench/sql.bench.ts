import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { completionsAt, diagnose, type ExpressionContext, SqlParseCache } from '../../src/sql/index.ts';
import { lex } from '../../src/sql/syntax/lexer.ts';
import { parseExpression, parseStatement } from '../../src/sql/syntax/parser.ts';
import { findSpecTexts } from '../unit/sql/corpus/specTexts.ts';
import { getMedian, printFigure, roundTo } from './report.ts';
import { loadCodeMirror, loadDtSqlParser, type CompletionPeer } from './sqlPeers.ts';
import { createLargeCatalog, createLongSql, createShortSql, quotingStyles } from './sqlTexts.ts';
import {
  createTokenDeletions,
  createTokenInsertions,
  getKeptPairsRatio,
  createUnclosedQuotes,
} from './sqlTolerance.ts';

function getQuantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Picks caret positions after tokens, spread evenly over a text. */
function pickCarets(text: string, count: number): number[] {
  const tokens = [...lex(text).tokens];
  const step = Math.max(1, Math.floor(tokens.length / count));
  return tokens.filter((_, index) => index % step === 0).map(({ end }) => end);
}

/** Time per run: wall clock, and CPU time, which isn't affected by other work on the machine. */
interface MeasuredTimes {
  readonly ms: readonly number[];
  readonly cpuMs: readonly number[];
}

function measureTimes(
  carets: readonly number[],
  run: (offset: number) => unknown,
  prepare?: MeasuredFunction,
): MeasuredTimes {
  const ms: number[] = [];
  const cpuMs: number[] = [];
  for (const offset of carets) {
    prepare?.(offset);
    const startUsage = process.threadCpuUsage();
    const started = performance.now();
    run(offset);
    ms.push(performance.now() - started);
    const { user, system } = process.threadCpuUsage(startUsage);
    cpuMs.push((user + system) / 1000);
  }
  return { ms, cpuMs };
}

type MeasuredFunction = (offset: number) => unknown;

const measureMedian = (carets: readonly number[], run: MeasuredFunction): number =>
  getMedian(measureTimes(carets, run).ms);

function measurePeerMedian(
  peer: CompletionPeer | undefined,
  text: string,
  carets: readonly number[],
): number | undefined {
  if (peer === undefined) {
    return undefined;
  }
  peer.complete(text, carets[0] ?? 0);
  return measureMedian(carets, (offset) => peer.complete(text, offset));
}

function measureTypingMedian(
  peer: CompletionPeer | undefined,
  text: string,
  carets: readonly number[],
): number | undefined {
  const typing = peer?.createTypingSession?.(text);
  if (typing === undefined) {
    return undefined;
  }
  carets.forEach(typing);
  return measureMedian(carets, typing);
}

/** Measures completion without a cache: every text is parsed from scratch. */
function measureOurs(text: string, carets: readonly number[], context: ExpressionContext): MeasuredTimes {
  const run: MeasuredFunction = (offset) => completionsAt(text, offset, context);
  measureTimes(carets, run);
  return measureTimes(carets, run);
}

/**
 * Measures completion after one letter is typed at each caret in turn. The text without the letter is already in the
 * parse cache, as in the library that we compare with; the text with the letter isn't.
 */
function measureOurTyping(
  text: string,
  carets: readonly number[],
  context: ExpressionContext,
): MeasuredTimes {
  const cachingContext = { ...context, memory: new SqlParseCache() };
  const typedTexts = new Map(
    carets.map((offset) => [
      offset,
      copyToContiguousString(`${text.slice(0, offset)}a${text.slice(offset)}`),
    ]),
  );
  const run: MeasuredFunction = (offset) =>
    completionsAt(typedTexts.get(offset) ?? '', offset + 1, cachingContext);
  const before: MeasuredFunction = (offset) => completionsAt(text, offset, cachingContext);
  measureTimes(carets, run, before);
  return measureTimes(carets, run, before);
}

/** Copies a concatenated string into one contiguous string, as the editor passes it. */
const copyToContiguousString = (text: string): string => Buffer.from(text).toString();

/** The libraries that our SQL completion is compared with; `undefined` if one is not installed. */
interface SqlPeers {
  readonly dtSqlParser: CompletionPeer | undefined;
  readonly codeMirror: CompletionPeer | undefined;
}

/** Prints one line per library; if none is installed, one line for our own completion, with ratio 1. */
function benchCompletion(
  name: string,
  text: string,
  { dtSqlParser, codeMirror }: SqlPeers,
  counts: { ours: number; peers: number },
): void {
  const context: ExpressionContext = { kind: 'table', catalog: createLargeCatalog('double') };
  const carets = pickCarets(text, counts.ours);
  const peerCarets = pickCarets(text, counts.peers);
  const wholeText = measureOurs(text, carets, context);
  const typing = measureOurTyping(text, carets, context);
  const lines: [string, MeasuredTimes, number | undefined][] = [
    ['dt-sql-parser (Trino)', wholeText, measurePeerMedian(dtSqlParser, text, peerCarets)],
    ['@codemirror/lang-sql, whole text', wholeText, measurePeerMedian(codeMirror, text, peerCarets)],
    ['@codemirror/lang-sql, one letter typed', typing, measureTypingMedian(codeMirror, text, carets)],
  ];
  const hasNoPeers = lines.every(([, , theirs]) => theirs === undefined);
  for (const [peerName, { ms, cpuMs }, theirs] of lines) {
    if (theirs !== undefined || hasNoPeers) {
      const ours = getMedian(ms);
      printFigure({
        bench: name,
        baseline: theirs === undefined ? `nothing: ${peerName} is not installed` : peerName,
        ratio: theirs === undefined ? 1 : roundTo(ours / theirs, 4),
        ours_ms: roundTo(ours),
        p99_ms: roundTo(getQuantile(ms, 0.99)),
        p99_cpu_ms: roundTo(getQuantile(cpuMs, 0.99)),
        lines: text.split('\n').length,
        carets: carets.length,
        ...(theirs === undefined ? {} : { theirs_ms: roundTo(theirs) }),
      });
    }
  }
}

function benchDiagnostics(text: string): void {
  const context: ExpressionContext = { kind: 'table', catalog: createLargeCatalog('double') };
  const ours = measureMedian([...Array(30).keys()], () => diagnose(text, context));
  const completion = measureMedian([...Array(30).keys()], () =>
    completionsAt(text, text.length >> 1, context),
  );
  const lines = text.split('\n').length;
  printFigure({
    bench: 'sql.diagnose',
    baseline: 'one completion',
    ratio: roundTo(ours / completion),
    ours_ms: roundTo(ours),
    lines,
  });
}

function benchTolerance(): void {
  for (const style of quotingStyles) {
    const text = createShortSql(style);
    for (const [edit, texts] of Object.entries({
      delete: createTokenDeletions(text),
      insert: createTokenInsertions(text),
      unclosed: createUnclosedQuotes(text),
    })) {
      const keptRatios = texts.map((edited) => getKeptPairsRatio(text, edited));
      const share = keptRatios.reduce((sum, value) => sum + value, 0) / keptRatios.length;
      printFigure({
        bench: 'sql.tolerance',
        baseline: 'pairs of the whole text',
        ratio: roundTo(share, 4),
        style,
        edit,
        edits: keptRatios.length,
      });
    }
  }
}

/**
 * Counts the texts of a public corpus that parse without errors; `corpus.test.ts` lists the rest, which use another
 * dialect.
 */
function benchCorpus(): void {
  const texts = findSpecTexts();
  const clean = texts.filter(
    ({ kind, text }) =>
      (kind === 'statement' ? parseStatement(text) : parseExpression(text)).syntaxErrors.length === 0,
  );
  printFigure({
    bench: 'sql.corpus',
    baseline: 'the specs of pgsql-ast-parser',
    ratio: roundTo(clean.length / texts.length, 4),
    clean: clean.length,
    texts: texts.length,
  });
}

/** Measures a cold start until the first result, with our SQL modules without the formatter, bundled as shipped. */
async function benchColdStart(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sql-bench-'));
  try {
    const entryPoints = [path.join(import.meta.dirname, '../../src/sql/language.ts')];
    const built = buildSync({
      entryPoints,
      bundle: true,
      minify: true,
      format: 'esm',
      mainFields: ['module', 'main'],
      write: false,
    });
    const code = built.outputFiles[0]?.text ?? '';
    const file = path.join(folder, 'language.mjs');
    writeFileSync(file, code);
    const text = createShortSql('double');
    const context: ExpressionContext = { kind: 'table', catalog: createLargeCatalog('double') };
    const started = performance.now();
    const language: { completionsAt: typeof completionsAt } = await import(pathToFileURL(file).href);
    const loaded = performance.now();
    language.completionsAt(text, text.indexOf('WHERE') + 6, context);
    const coldMs = performance.now() - loaded;
    const warmMs = measureMedian([...Array(50).keys()], () =>
      language.completionsAt(text, text.length >> 1, context),
    );
    printFigure({
      bench: 'sql.coldStart',
      baseline: 'a warm completion',
      ratio: roundTo(coldMs / warmMs),
      load_ms: roundTo(loaded - started),
      ours_ms: roundTo(coldMs),
      bytes: code.length,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await benchColdStart();
const peers = {
  dtSqlParser: await loadDtSqlParser(),
  codeMirror: await loadCodeMirror(createLargeCatalog('double')),
};
benchCompletion('sql.completion', createShortSql('double'), peers, { ours: 400, peers: 60 });
benchCompletion('sql.completion.long', createLongSql('double'), peers, { ours: 400, peers: 10 });
benchDiagnostics(createLongSql('double'));
benchTolerance();
benchCorpus();
