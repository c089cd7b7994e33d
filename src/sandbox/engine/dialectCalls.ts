import type { Call, Expr } from '../../sql/syntax/tree.ts';
import { sqliteName } from './dialectText.ts';

/** How `Lookup` finds a row of another table, and which column of it is the result. */
export interface FoundBy {
  readonly table: string;
  readonly column: string;
  readonly result: string;
}

/** What a call notes beside its text. */
export interface CallNotes {
  lookup(found: FoundBy): void;
  window(): void;
}

type Rewrite = (call: Call, args: readonly string[], notes: CallNotes, source: string) => string | undefined;

const columnOf = (expr: Expr | undefined): string | undefined =>
  expr?.kind === 'column' ? expr.path.at(-1)?.text : undefined;

/**
 * `Lookup([Table], [ReturnColumn], [LocalKey], [RemoteKey])` (platform-facts 5.5): arguments 1, 2 and 4 belong to
 * the other table. The derived table hides that table's other columns, so that the local key keeps its meaning.
 */
const lookup: Rewrite = (call, args, notes) => {
  const [table, result, remote] = [call.args[0], call.args[1], call.args[3]].map(columnOf);
  if (call.args.length !== 4 || table === undefined || result === undefined || remote === undefined) {
    return undefined;
  }
  notes.lookup({ table, column: remote, result });
  const columns = `${sqliteName(result)} AS [dm$value], ${sqliteName(remote)} AS [dm$key]`;
  const found = `(SELECT ${columns} FROM ${sqliteName(table)}) AS [dm$other]`;
  return `(SELECT [dm$other].[dm$value] FROM ${found} WHERE [dm$other].[dm$key] = ${args[2] ?? ''} LIMIT 1)`;
};

/** One argument asks (facts 5.5); two are a value and what stands for null. */
const isNull: Rewrite = (_call, args) => {
  if (args.length === 1) {
    return `((${args[0] ?? ''}) IS NULL)`;
  }
  return args.length === 2 ? `coalesce(${args.join(', ')})` : undefined;
};

/** `RANKASC(partition…, value)` and its kin (platform-facts 5.4) as window functions. */
const rank =
  (name: 'row_number' | 'rank' | 'dense_rank', direction: 'ASC' | 'DESC'): Rewrite =>
  (call, args, notes) => {
    const value = args.at(-1);
    if (value === undefined || call.over !== undefined) {
      return undefined;
    }
    notes.window();
    const partition = args.length > 1 ? `PARTITION BY ${args.slice(0, -1).join(', ')} ` : '';
    return `${name}() OVER (${partition}ORDER BY ${value} ${direction})`;
  };

const currentNames: ReadonlyMap<string, string> = new Map([
  ['current_date', 'currentdate()'],
  ['current_time', 'currenttime()'],
  ['current_timestamp', 'currenttimestamp()'],
]);

/** `EXTRACT(YEAR FROM x)` is `GETYEAR(x)`. */
const extract: Rewrite = (call, args, _notes, source) => {
  const unit = call.args[0];
  if (unit?.kind !== 'word' || args.length !== 2) {
    return undefined;
  }
  const word = source.slice(unit.start, unit.end).toLowerCase();
  const known = ['year', 'quarter', 'month', 'day', 'hour', 'minute', 'second'].includes(word);
  return known ? `get${word}(${args[1] ?? ''})` : undefined;
};

const rewrites: Readonly<Record<string, Rewrite>> = {
  lookup,
  isnull: isNull,
  extract,
  rankasc: rank('row_number', 'ASC'),
  rankdesc: rank('row_number', 'DESC'),
  rankdenseasc: rank('dense_rank', 'ASC'),
  rankdensedesc: rank('dense_rank', 'DESC'),
  rankcompetitionasc: rank('rank', 'ASC'),
  rankcompetitiondesc: rank('rank', 'DESC'),
};

/** The text of a call that SQLite knows by another form; `undefined` for a call that stays as it is. */
export function rewriteCall(
  call: Call,
  args: readonly string[],
  notes: CallNotes,
  source: string,
): string | undefined {
  const name = call.name.text.toLowerCase();
  if (call.open < 0) {
    return currentNames.get(name);
  }
  if (call.over !== undefined) {
    notes.window();
  }
  return Object.hasOwn(rewrites, name) ? rewrites[name]?.(call, args, notes, source) : undefined;
}
