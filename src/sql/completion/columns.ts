import { writeName } from '../quoting.ts';
import type { OutColumn } from '../scope/catalogIndex.ts';
import { chain } from '../scope/lookup.ts';
import type { Scope } from '../scope/model.ts';
import type { Source } from '../scope/source.ts';
import { keyOf } from '../scope/symbols.ts';
import { typeNameOf } from '../typeNames.ts';
import type { Quote } from '../syntax/tokens.ts';
import type { Draft } from './item.ts';

function detailOf(column: OutColumn, from: string): string | undefined {
  const parts = [from, typeNameOf(column.type) ?? '', column.hidden ? 'hidden' : ''];
  const detail = parts.filter((part) => part !== '').join(' · ');
  return detail === '' ? undefined : detail;
}

/** A source as a reader knows it: `o (Orders)`. */
export function sourceTitle(source: Source): string {
  const { target, name } = source;
  const of = target.kind === 'table' ? target.table.name : target.kind === 'cte' ? target.name.text : '';
  return of === '' || keyOf(of) === source.key ? name : `${name} (${of})`;
}

/** The columns after `qualifier.`. */
export function memberColumns(source: Source, quote: Quote): Draft[] {
  const from = sourceTitle(source);
  return hiddenLast(source.shape.columns).map((column) =>
    columnDraft(column, writeName(column.name, quote), from),
  );
}

function columnDraft(column: OutColumn, insertText: string, from: string): Draft {
  return { label: column.name, insertText, kind: 'column', detail: detailOf(column, from) };
}

function hiddenLast(columns: readonly OutColumn[]): OutColumn[] {
  const named = columns.filter(({ name }) => name !== '');
  return named.some(({ hidden }) => hidden)
    ? named.toSorted((a, b) => Number(a.hidden) - Number(b.hidden))
    : named;
}

/**
 * The columns that can be written without or with a qualifier, nearest scope first. One that more than one
 * source has, or that a nearer scope hides, is written with its source's name.
 */
export function visibleColumns(scope: Scope, quote: Quote): { near: Draft[]; far: Draft[] } {
  const taken = new Set<string>();
  const [nearest, ...others] = chain(scope);
  const near = nearest === undefined ? [] : columnsOf(nearest, taken, quote);
  return { near, far: others.flatMap((at) => columnsOf(at, taken, quote)) };
}

function columnsOf(scope: Scope, taken: Set<string>, quote: Quote): Draft[] {
  const counts = new Map<string, number>();
  const sole = scope.sources.length === 1;
  if (!sole) {
    for (const { shape } of scope.sources) {
      for (const key of new Set(shape.columns.map(({ name }) => keyOf(name)))) {
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
  }
  const own: string[] = [];
  const drafts: Draft[] = [];
  for (const source of scope.sources) {
    const from = sourceTitle(source);
    for (const column of hiddenLast(source.shape.columns)) {
      const key = keyOf(column.name);
      const qualify = taken.has(key) || (counts.get(key) ?? 0) > 1;
      const name = writeName(column.name, quote);
      if (!qualify || source.name !== '') {
        drafts.push(columnDraft(column, qualify ? `${writeName(source.name)}.${name}` : name, from));
      }
      own.push(key);
    }
  }
  for (const key of own) {
    taken.add(key);
  }
  return drafts;
}

/** All columns of the sources, written out: what `*` stands for. */
export function expandedStar(sources: readonly Source[], qualify: boolean): string | undefined {
  const known = sources.every(({ shape, name }) => shape.complete && (!qualify || name !== ''));
  const columns = sources.flatMap((source) =>
    source.shape.columns.map(({ name }) =>
      qualify ? `${writeName(source.name)}.${writeName(name)}` : writeName(name),
    ),
  );
  const named = sources.every(({ shape }) => shape.columns.every(({ name }) => name !== ''));
  return known && named && columns.length > 0 ? columns.join(', ') : undefined;
}
