import { writeName } from '../quoting.ts';
import type { SourceColumn } from '../scope/catalogIndex.ts';
import { getScopeChain } from '../scope/lookup.ts';
import type { Scope } from '../scope/model.ts';
import type { FromSource } from '../scope/source.ts';
import { toNameKey } from '../scope/symbols.ts';
import { getTypeName } from '../typeNames.ts';
import type { Quote } from '../syntax/tokens.ts';
import type { CompletionDraft } from './item.ts';

function describeColumn(column: SourceColumn, from: string): string | undefined {
  const parts = [from, getTypeName(column.type) ?? '', column.hidden ? 'hidden' : ''];
  const detail = parts.filter((part) => part !== '').join(' · ');
  return detail === '' ? undefined : detail;
}

/** Returns the display name of a source: `o (Orders)`. */
export function formatSourceTitle(source: FromSource): string {
  const { target, name } = source;
  const of = target.kind === 'table' ? target.table.name : target.kind === 'cte' ? target.name.text : '';
  return of === '' || toNameKey(of) === source.key ? name : `${name} (${of})`;
}

/** Creates drafts for the columns after `qualifier.`. */
export function createMemberColumnDrafts(source: FromSource, quote: Quote): CompletionDraft[] {
  const from = formatSourceTitle(source);
  return sortHiddenLast(source.shape.columns).map((column) =>
    createColumnDraft(column, writeName(column.name, quote), from),
  );
}

function createColumnDraft(column: SourceColumn, insertText: string, from: string): CompletionDraft {
  return { label: column.name, insertText, kind: 'column', detail: describeColumn(column, from) };
}

function sortHiddenLast(columns: readonly SourceColumn[]): SourceColumn[] {
  const named = columns.filter(({ name }) => name !== '');
  return named.some(({ hidden }) => hidden)
    ? named.toSorted((a, b) => Number(a.hidden) - Number(b.hidden))
    : named;
}

/**
 * Creates drafts for all visible columns, those of the innermost scope separately. A column is qualified with the name
 * of its source if several sources have it, or if a column of an inner scope hides it.
 */
export function createVisibleColumnDrafts(
  scope: Scope,
  quote: Quote,
): { near: CompletionDraft[]; far: CompletionDraft[] } {
  const taken = new Set<string>();
  const [nearest, ...others] = getScopeChain(scope);
  const near = nearest === undefined ? [] : createScopeColumnDrafts(nearest, taken, quote);
  return { near, far: others.flatMap((at) => createScopeColumnDrafts(at, taken, quote)) };
}

function createScopeColumnDrafts(scope: Scope, taken: Set<string>, quote: Quote): CompletionDraft[] {
  const counts = new Map<string, number>();
  const sole = scope.sources.length === 1;
  if (!sole) {
    for (const { shape } of scope.sources) {
      for (const key of new Set(shape.columns.map(({ name }) => toNameKey(name)))) {
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
  }
  const own: string[] = [];
  const drafts: CompletionDraft[] = [];
  for (const source of scope.sources) {
    const from = formatSourceTitle(source);
    for (const column of sortHiddenLast(source.shape.columns)) {
      const key = toNameKey(column.name);
      const qualify = taken.has(key) || (counts.get(key) ?? 0) > 1;
      const name = writeName(column.name, quote);
      if (!qualify || source.name !== '') {
        drafts.push(createColumnDraft(column, qualify ? `${writeName(source.name)}.${name}` : name, from));
      }
      own.push(key);
    }
  }
  for (const key of own) {
    taken.add(key);
  }
  return drafts;
}

/** Returns the list of all columns of the sources, to replace `*`; `undefined` if not all columns are known. */
export function expandStar(sources: readonly FromSource[], qualify: boolean): string | undefined {
  const known = sources.every(({ shape, name }) => shape.complete && (!qualify || name !== ''));
  const columns = sources.flatMap((source) =>
    source.shape.columns.map(({ name }) =>
      qualify ? `${writeName(source.name)}.${writeName(name)}` : writeName(name),
    ),
  );
  const named = sources.every(({ shape }) => shape.columns.every(({ name }) => name !== ''));
  return known && named && columns.length > 0 ? columns.join(', ') : undefined;
}
