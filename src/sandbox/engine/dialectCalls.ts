import type { CallExpr, Expr } from '../../sql/syntax/tree.ts';
import { quoteSqliteName } from './dialectEdits.ts';

/** The table and column that a `Lookup` searches, and the column that it returns. */
export interface LookupTarget {
  readonly table: string;
  readonly column: string;
  readonly result: string;
}

/** Records what callers of the translation need to know about calls in the SQL. */
export interface CallRecorder {
  recordLookup(target: LookupTarget): void;
  recordWindowFunction(): void;
}

type CallRewriter = (
  call: CallExpr,
  args: readonly string[],
  recorder: CallRecorder,
  source: string,
) => string | undefined;

const getColumnName = (expr: Expr | undefined): string | undefined =>
  expr?.kind === 'column' ? expr.path.at(-1)?.text : undefined;

/**
 * Rewrites `Lookup([Table], [ReturnColumn], [LocalKey], [RemoteKey])` (platform-facts.md, 5.5) as a subquery. A derived
 * table hides the other columns of the looked-up table, so that the local key still refers to the outer table.
 */
const rewriteLookup: CallRewriter = (call, args, recorder) => {
  const [table, resultColumn, remoteKey] = [call.args[0], call.args[1], call.args[3]].map(getColumnName);
  if (
    call.args.length !== 4 ||
    table === undefined ||
    resultColumn === undefined ||
    remoteKey === undefined
  ) {
    return undefined;
  }
  recorder.recordLookup({ table, column: remoteKey, result: resultColumn });
  const columns = `${quoteSqliteName(resultColumn)} AS [dm$value], ${quoteSqliteName(remoteKey)} AS [dm$key]`;
  const lookupSource = `(SELECT ${columns} FROM ${quoteSqliteName(table)}) AS [dm$other]`;
  return `(SELECT [dm$other].[dm$value] FROM ${lookupSource} WHERE [dm$other].[dm$key] = ${args[2] ?? ''} LIMIT 1)`;
};

/** Rewrites `IsNull`: with one argument it tests for null (platform-facts.md, 5.5), with two it replaces null. */
const rewriteIsNull: CallRewriter = (_call, args) => {
  if (args.length === 1) {
    return `((${args[0] ?? ''}) IS NULL)`;
  }
  return args.length === 2 ? `coalesce(${args.join(', ')})` : undefined;
};

/** Rewrites `RANKASC(partition…, value)` and similar functions (platform-facts.md, 5.4) as window functions. */
const createRankRewriter =
  (name: 'row_number' | 'rank' | 'dense_rank', direction: 'ASC' | 'DESC'): CallRewriter =>
  (call, args, recorder) => {
    const value = args.at(-1);
    if (value === undefined || call.over !== undefined) {
      return undefined;
    }
    recorder.recordWindowFunction();
    const partition = args.length > 1 ? `PARTITION BY ${args.slice(0, -1).join(', ')} ` : '';
    return `${name}() OVER (${partition}ORDER BY ${value} ${direction})`;
  };

const currentTimeFunctions: ReadonlyMap<string, string> = new Map([
  ['current_date', 'currentdate()'],
  ['current_time', 'currenttime()'],
  ['current_timestamp', 'currenttimestamp()'],
]);

/** Rewrites `EXTRACT(YEAR FROM x)` as `GETYEAR(x)`. */
const rewriteExtract: CallRewriter = (call, args, _recorder, source) => {
  const unit = call.args[0];
  if (unit?.kind !== 'word' || args.length !== 2) {
    return undefined;
  }
  const unitName = source.slice(unit.start, unit.end).toLowerCase();
  const isKnownUnit = ['year', 'quarter', 'month', 'day', 'hour', 'minute', 'second'].includes(unitName);
  return isKnownUnit ? `get${unitName}(${args[1] ?? ''})` : undefined;
};

const rewritersByFunction: Readonly<Record<string, CallRewriter>> = {
  lookup: rewriteLookup,
  isnull: rewriteIsNull,
  extract: rewriteExtract,
  rankasc: createRankRewriter('row_number', 'ASC'),
  rankdesc: createRankRewriter('row_number', 'DESC'),
  rankdenseasc: createRankRewriter('dense_rank', 'ASC'),
  rankdensedesc: createRankRewriter('dense_rank', 'DESC'),
  rankcompetitionasc: createRankRewriter('rank', 'ASC'),
  rankcompetitiondesc: createRankRewriter('rank', 'DESC'),
};

/** Returns the SQLite SQL of a call that needs rewriting; `undefined` for any other call. */
export function rewriteCall(
  call: CallExpr,
  args: readonly string[],
  recorder: CallRecorder,
  source: string,
): string | undefined {
  const name = call.name.text.toLowerCase();
  // The only functions that can be called without parentheses return the current time.
  if (call.openParenOffset < 0) {
    return currentTimeFunctions.get(name);
  }
  if (call.over !== undefined) {
    recorder.recordWindowFunction();
  }
  return Object.hasOwn(rewritersByFunction, name)
    ? rewritersByFunction[name]?.(call, args, recorder, source)
    : undefined;
}
