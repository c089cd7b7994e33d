import { getColumnTypeLabel } from '../../contract/terms.ts';
import { formatSqlName } from '../quoting.ts';
import type { SourceColumn } from '../scope/catalogIndex.ts';
import { getScopeChain } from '../scope/lookup.ts';
import type { Scope } from '../scope/scope.ts';
import type { FromSource } from '../scope/source.ts';
import { toNameKey } from '../scope/symbols.ts';
import type { Quote } from '../syntax/lexedText.ts';
import type { CompletionDraft } from './completionItem.ts';

function describeColumn(column: SourceColumn, sourceTitle: string): string | undefined {
  const parts = [sourceTitle, getColumnTypeLabel(column.type), column.hidden ? 'hidden' : ''];
  const detail = parts.filter((part) => part !== '').join(' · ');
  return detail === '' ? undefined : detail;
}

/** Returns the display name of a source: `o (Orders)`. */
function formatSourceTitle(source: FromSource): string {
  const { target, name } = source;
  const targetName =
    target.kind === 'table' ? target.table.name : target.kind === 'cte' ? target.name.text : '';
  return targetName === '' || toNameKey(targetName) === source.key ? name : `${name} (${targetName})`;
}

/** Creates drafts for the columns after `qualifier.`. */
export function createMemberColumnDrafts(source: FromSource, quote: Quote): CompletionDraft[] {
  const sourceTitle = formatSourceTitle(source);
  return sortHiddenLast(source.shape.columns).map((column) =>
    createColumnDraft(column, formatSqlName(column.name, quote), sourceTitle),
  );
}

function createColumnDraft(column: SourceColumn, insertText: string, sourceTitle: string): CompletionDraft {
  return { label: column.name, insertText, kind: 'column', detail: describeColumn(column, sourceTitle) };
}

function sortHiddenLast(columns: readonly SourceColumn[]): SourceColumn[] {
  const namedColumns = columns.filter(({ name }) => name !== '');
  return namedColumns.some(({ hidden }) => hidden)
    ? namedColumns.toSorted((a, b) => Number(a.hidden) - Number(b.hidden))
    : namedColumns;
}

/**
 * Creates drafts for all visible columns, those of the innermost scope separately. A column is qualified with the name
 * of its source if several sources have it, or if a column of an inner scope hides it.
 */
export function createVisibleColumnDrafts(
  scope: Scope,
  quote: Quote,
): { nearestDrafts: CompletionDraft[]; outerDrafts: CompletionDraft[] } {
  const usedKeys = new Set<string>();
  const [nearest, ...outerScopes] = getScopeChain(scope);
  const nearestDrafts = nearest === undefined ? [] : createScopeColumnDrafts(nearest, usedKeys, quote);
  return {
    nearestDrafts,
    outerDrafts: outerScopes.flatMap((outerScope) => createScopeColumnDrafts(outerScope, usedKeys, quote)),
  };
}

function createScopeColumnDrafts(scope: Scope, usedKeys: Set<string>, quote: Quote): CompletionDraft[] {
  const counts = new Map<string, number>();
  const isOnlySource = scope.sources.length === 1;
  if (!isOnlySource) {
    for (const { shape } of scope.sources) {
      for (const key of new Set(shape.columns.map(({ name }) => toNameKey(name)))) {
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
  }
  const scopeKeys: string[] = [];
  const drafts: CompletionDraft[] = [];
  for (const source of scope.sources) {
    const sourceTitle = formatSourceTitle(source);
    for (const column of sortHiddenLast(source.shape.columns)) {
      const key = toNameKey(column.name);
      const needsQualifier = usedKeys.has(key) || (counts.get(key) ?? 0) > 1;
      const name = formatSqlName(column.name, quote);
      if (!needsQualifier || source.name !== '') {
        drafts.push(
          createColumnDraft(
            column,
            needsQualifier ? `${formatSqlName(source.name)}.${name}` : name,
            sourceTitle,
          ),
        );
      }
      scopeKeys.push(key);
    }
  }
  for (const key of scopeKeys) {
    usedKeys.add(key);
  }
  return drafts;
}

/** Returns the list of all columns of the sources, to replace `*`; `undefined` if not all columns are known. */
export function expandStar(sources: readonly FromSource[], needsQualifier: boolean): string | undefined {
  const areAllKnown = sources.every(({ shape, name }) => shape.complete && (!needsQualifier || name !== ''));
  const columns = sources.flatMap((source) =>
    source.shape.columns.map(({ name }) =>
      needsQualifier ? `${formatSqlName(source.name)}.${formatSqlName(name)}` : formatSqlName(name),
    ),
  );
  const areAllNamed = sources.every(({ shape }) => shape.columns.every(({ name }) => name !== ''));
  return areAllKnown && areAllNamed && columns.length > 0 ? columns.join(', ') : undefined;
}
