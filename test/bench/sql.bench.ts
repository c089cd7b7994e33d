import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { completionsAt, diagnose, type ExpressionContext } from '../../src/sql/index.ts';
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

function timesOf(carets: readonly number[], run: (offset: number) => unknown): number[] {
  return carets.map((offset) => {
    const started = performance.now();
    run(offset);
    return performance.now() - started;
  });
}

/** Time on the processor alone, which other work on the machine does not lengthen. */
function cpuTimesOf(carets: readonly number[], run: (offset: number) => unknown): number[] {
  return carets.map((offset) => {
    const started = process.threadCpuUsage();
    run(offset);
    const { user, system } = process.threadCpuUsage(started);
    return (user + system) / 1000;
  });
}

function peerMedian(peer: Peer | undefined, text: string, carets: readonly number[]): number | undefined {
  if (peer === undefined) {
    return undefined;
  }
  peer.complete(text, carets[0] ?? 0);
  return quantile(
    timesOf(carets, (offset) => peer.complete(text, offset)),
    0.5,
  );
}

interface Peers {
  readonly dt: Peer | undefined;
  readonly cm: Peer | undefined;
}

/** One line per peer; without peers (they are not installed) one line for ours alone, its ratio 1. */
function benchCompletion(
  name: string,
  text: string,
  peers: Peers,
  counts: { ours: number; peers: number },
): void {
  const context: ExpressionContext = { kind: 'table', catalog: bigCatalog('double') };
  const carets = caretsOf(text, counts.ours);
  const few = caretsOf(text, counts.peers);
  timesOf(carets, (offset) => completionsAt(text, offset, context));
  const ours = timesOf(carets, (offset) => completionsAt(text, offset, context));
  const cpu = cpuTimesOf(carets, (offset) => completionsAt(text, offset, context));
  const oursMs = median(ours);
  const facts = {
    ours_ms: round(oursMs),
    p99_ms: round(quantile(ours, 0.99)),
    p99_cpu_ms: round(quantile(cpu, 0.99)),
    lines: text.split('\n').length,
    carets: carets.length,
  };
  const theirs: [string, number | undefined][] = [
    ['dt-sql-parser (Trino)', peerMedian(peers.dt, text, few)],
    ['@codemirror/lang-sql, whole text', peerMedian(peers.cm, text, few)],
    ['@codemirror/lang-sql, one letter typed', typingMedian(peers.cm, text, few)],
  ];
  for (const [beside, ms] of theirs) {
    if (ms !== undefined) {
      report({ bench: name, beside, ratio: round(oursMs / ms, 4), ...facts, theirs_ms: round(ms) });
    }
  }
  if (theirs.every(([, ms]) => ms === undefined)) {
    report({ bench: name, beside: 'nothing: no peer is installed', ratio: 1, ...facts });
  }
}

function typingMedian(peer: Peer | undefined, text: string, carets: readonly number[]): number | undefined {
  const typing = peer?.typing?.(text);
  return typing === undefined ? undefined : median(timesOf(carets, typing));
}

function benchDiagnostics(text: string): void {
  const context: ExpressionContext = { kind: 'table', catalog: bigCatalog('double') };
  const ours = median(timesOf([...Array(30).keys()], () => diagnose(text, context)));
  const completion = median(
    timesOf([...Array(30).keys()], () => completionsAt(text, text.length >> 1, context)),
  );
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
    const again = median(
      timesOf([...Array(50).keys()], () => language.completionsAt(text, text.length >> 1, context)),
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
