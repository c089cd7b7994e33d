import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { completionsAt, diagnose, type ExpressionContext, SqlMemory } from '../../src/sql/index.ts';
import { lex } from '../../src/sql/syntax/lexer.ts';
import { parseExpression, parseStatement } from '../../src/sql/syntax/parser.ts';
import { specTexts } from '../unit/sql/corpus/specTexts.ts';
import { median, report, round } from './report.ts';
import { codeMirror, dtSqlParser, type Peer } from './sqlPeers.ts';
import { bigCatalog, longText, shortText, STYLES } from './sqlTexts.ts';
import { deletions, insertions, keptPairs, unclosedQuotes } from './sqlTolerance.ts';

function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Carets behind tokens, spread evenly over a text. */
function caretsOf(text: string, count: number): number[] {
  const tokens = [...lex(text).tokens];
  const step = Math.max(1, Math.floor(tokens.length / count));
  return tokens.filter((_, index) => index % step === 0).map(({ end }) => end);
}

/** What each run takes: by the clock, and on the processor alone, which other work on the machine does not lengthen. */
interface Times {
  readonly ms: readonly number[];
  readonly cpuMs: readonly number[];
}

function timesOf(carets: readonly number[], run: (offset: number) => unknown, before?: Run): Times {
  const ms: number[] = [];
  const cpuMs: number[] = [];
  for (const offset of carets) {
    before?.(offset);
    const busy = process.threadCpuUsage();
    const started = performance.now();
    run(offset);
    ms.push(performance.now() - started);
    const { user, system } = process.threadCpuUsage(busy);
    cpuMs.push((user + system) / 1000);
  }
  return { ms, cpuMs };
}

type Run = (offset: number) => unknown;

const medianOf = (carets: readonly number[], run: Run): number => median(timesOf(carets, run).ms);

function wholeMedian(peer: Peer | undefined, text: string, carets: readonly number[]): number | undefined {
  if (peer === undefined) {
    return undefined;
  }
  peer.complete(text, carets[0] ?? 0);
  return medianOf(carets, (offset) => peer.complete(text, offset));
}

function typingMedian(peer: Peer | undefined, text: string, carets: readonly number[]): number | undefined {
  const typing = peer?.typing?.(text);
  if (typing === undefined) {
    return undefined;
  }
  carets.forEach(typing);
  return medianOf(carets, typing);
}

/** Every text is read from nothing. */
function oursWhole(text: string, carets: readonly number[], context: ExpressionContext): Times {
  const run: Run = (offset) => completionsAt(text, offset, context);
  timesOf(carets, run);
  return timesOf(carets, run);
}

/**
 * A letter is typed at each caret in turn, and taken back before the next. What is timed is always a text that was not
 * seen before; what it was before the letter has been seen, as the peer has seen it too.
 */
function oursTyping(text: string, carets: readonly number[], context: ExpressionContext): Times {
  const remembering = { ...context, memory: new SqlMemory() };
  const typed = new Map(carets.map((at) => [at, flat(`${text.slice(0, at)}a${text.slice(at)}`)]));
  const run: Run = (offset) => completionsAt(typed.get(offset) ?? '', offset + 1, remembering);
  const before: Run = (offset) => completionsAt(text, offset, remembering);
  timesOf(carets, run, before);
  return timesOf(carets, run, before);
}

/** A text in one piece, as an editor hands it over. */
const flat = (text: string): string => Buffer.from(text).toString();

/** One line per peer; without peers (they are not installed) one line for ours alone, its ratio 1. */
function benchCompletion(
  name: string,
  text: string,
  { dt, cm }: { readonly dt: Peer | undefined; readonly cm: Peer | undefined },
  counts: { ours: number; peers: number },
): void {
  const context: ExpressionContext = { kind: 'table', catalog: bigCatalog('double') };
  const carets = caretsOf(text, counts.ours);
  const few = caretsOf(text, counts.peers);
  const whole = oursWhole(text, carets, context);
  const typing = oursTyping(text, carets, context);
  const lines: [string, Times, number | undefined][] = [
    ['dt-sql-parser (Trino)', whole, wholeMedian(dt, text, few)],
    ['@codemirror/lang-sql, whole text', whole, wholeMedian(cm, text, few)],
    ['@codemirror/lang-sql, one letter typed', typing, typingMedian(cm, text, carets)],
  ];
  const isAlone = lines.every(([, , theirs]) => theirs === undefined);
  for (const [beside, { ms, cpuMs }, theirs] of lines) {
    if (theirs !== undefined || isAlone) {
      const ours = median(ms);
      report({
        bench: name,
        beside: theirs === undefined ? `nothing: ${beside} is not installed` : beside,
        ratio: theirs === undefined ? 1 : round(ours / theirs, 4),
        ours_ms: round(ours),
        p99_ms: round(quantile(ms, 0.99)),
        p99_cpu_ms: round(quantile(cpuMs, 0.99)),
        lines: text.split('\n').length,
        carets: carets.length,
        ...(theirs === undefined ? {} : { theirs_ms: round(theirs) }),
      });
    }
  }
}

function benchDiagnostics(text: string): void {
  const context: ExpressionContext = { kind: 'table', catalog: bigCatalog('double') };
  const ours = medianOf([...Array(30).keys()], () => diagnose(text, context));
  const completion = medianOf([...Array(30).keys()], () => completionsAt(text, text.length >> 1, context));
  const lines = text.split('\n').length;
  report({
    bench: 'sql.diagnose',
    beside: 'one completion',
    ratio: round(ours / completion),
    ours_ms: round(ours),
    lines,
  });
}

function benchTolerance(): void {
  for (const style of STYLES) {
    const text = shortText(style);
    for (const [edit, texts] of Object.entries({
      delete: deletions(text),
      insert: insertions(text),
      unclosed: unclosedQuotes(text),
    })) {
      const kept = texts.map((edited) => keptPairs(text, edited));
      const share = kept.reduce((sum, value) => sum + value, 0) / kept.length;
      report({
        bench: 'sql.tolerance',
        beside: 'pairs of the whole text',
        ratio: round(share, 4),
        style,
        edit,
        edits: kept.length,
      });
    }
  }
}

/** How many texts of a public corpus parse clean; `corpus.test.ts` names the rest, which is another dialect's. */
function benchCorpus(): void {
  const texts = specTexts();
  const clean = texts.filter(
    ({ kind, text }) =>
      (kind === 'statement' ? parseStatement(text) : parseExpression(text)).faults.length === 0,
  );
  report({
    bench: 'sql.corpus',
    beside: 'the specs of pgsql-ast-parser',
    ratio: round(clean.length / texts.length, 4),
    clean: clean.length,
    texts: texts.length,
  });
}

/** From nothing to the first answer: the language without the formatter, bundled as the product ships it. */
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
    const text = shortText('double');
    const context: ExpressionContext = { kind: 'table', catalog: bigCatalog('double') };
    const started = performance.now();
    const language: { completionsAt: typeof completionsAt } = await import(pathToFileURL(file).href);
    const loaded = performance.now();
    language.completionsAt(text, text.indexOf('WHERE') + 6, context);
    const first = performance.now() - loaded;
    const again = medianOf([...Array(50).keys()], () =>
      language.completionsAt(text, text.length >> 1, context),
    );
    report({
      bench: 'sql.coldStart',
      beside: 'a warm completion',
      ratio: round(first / again),
      load_ms: round(loaded - started),
      ours_ms: round(first),
      bytes: code.length,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await benchColdStart();
const peers = { dt: await dtSqlParser(), cm: await codeMirror(bigCatalog('double')) };
benchCompletion('sql.completion', shortText('double'), peers, { ours: 400, peers: 60 });
benchCompletion('sql.completion.long', longText('double'), peers, { ours: 400, peers: 10 });
benchDiagnostics(longText('double'));
benchTolerance();
benchCorpus();
