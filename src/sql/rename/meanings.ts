import type { ExpressionContext } from '../context.ts';
import type { Use } from '../features/uses.ts';
import { parseFor } from '../parsing.ts';
import type { MergedName } from '../scope/merged.ts';
import type { Scope } from '../scope/model.ts';
import type { Source } from '../scope/source.ts';
import type { NameProblem } from '../scope/problems.ts';
import type { Resolution } from '../scope/resolution.ts';
import { resolve } from '../scope/resolve.ts';
import { keyOf, type SqlSymbol } from '../scope/symbols.ts';
import type { Cte, Extent, FromItem, Name, SqlTree, SyntaxFault } from '../syntax/tree.ts';
import { walk } from '../syntax/walk.ts';

/** A text with what its names can mean, at one side of a change. */
export interface Reading {
  readonly text: string;
  readonly context: ExpressionContext;
  /** Tells tables and columns of the catalogue apart in words that the change leaves alone: oids, say. */
  identify(use: Pick<Use, 'table' | 'column'>): string | undefined;
}

/** Takes an offset of this side to the side after the change; `undefined` for what only one side has. */
type Placing = (offset: number) => number | undefined;

/** A place of the text that names something. */
export interface Binding extends Extent {
  readonly key: string;
  readonly symbol: SqlSymbol | undefined;
  /** A WITH query of the same name that some engines take for it. */
  readonly circle: Cte | undefined;
}

/** What all names of a text mean, said so that both sides of a change can be compared. */
export interface Meanings {
  /** By the offset of the name, as the side after the change counts. */
  readonly bindings: ReadonlyMap<number, Binding>;
  readonly problems: readonly NameProblem[];
  readonly faults: readonly SyntaxFault[];
  readonly results: Resolution['results'];
  /** The columns that each NATURAL JOIN joins, in order of text. */
  readonly natural: readonly { readonly item: FromItem; readonly pairs: string }[];
}

/** Reads the meaning of every name of a text. */
export function meaningsOf(reading: Reading, place: Placing): Meanings {
  const tree = parseFor(reading.text, reading.context);
  const { occurrences, problems, results, merged, scopes } = resolve(tree, reading.context);
  const bindings = new Map<number, Binding>();
  const bind = (name: Extent, key: string, symbol: SqlSymbol | undefined, circle?: Cte): void => {
    const at = place(name.start);
    if (at === undefined) {
      return;
    }
    const known = bindings.get(at);
    bindings.set(at, {
      start: name.start,
      end: name.end,
      key: known === undefined ? key : `${known.key} ${key}`,
      symbol: known?.symbol ?? symbol,
      circle,
    });
  };
  const lists = withLists(tree);
  for (const { name, symbol } of occurrences) {
    const circle = symbol.kind === 'table' ? circleAt(lists, name) : undefined;
    bind(name, symbolKey(symbol, reading, place), symbol, circle);
  }
  for (const one of merged) {
    bind(one.name, mergedKey(one, place), undefined);
  }
  return { bindings, problems, faults: tree.faults, results, natural: scopes.flatMap(naturalJoins) };
}

/** The WITH lists of a text. */
function withLists(tree: SqlTree): readonly (readonly Cte[])[] {
  const lists: (readonly Cte[])[] = [];
  for (const query of tree.kind === 'statement' ? tree.queries : []) {
    walk(query, (node) => {
      if (node.kind === 'query' && node.ctes.length > 0) {
        lists.push(node.ctes);
      }
    });
  }
  return lists;
}

/** A table that is read in a WITH list which has a query of its name: some engines call that a circle. */
function circleAt(lists: readonly (readonly Cte[])[], { start, text }: Name): Cte | undefined {
  const around = lists.filter((list) => list.some((cte) => cte.start < start && start < cte.end));
  return around.flat().find(({ name }) => keyOf(name.text) === keyOf(text));
}

function symbolKey(symbol: SqlSymbol, reading: Reading, place: Placing): string {
  switch (symbol.kind) {
    case 'table':
    case 'column':
      return `${symbol.kind} ${reading.identify(symbol) ?? ''}`;
    case 'alias':
    case 'cte':
      return `${symbol.kind} ${place(symbol.name.start) ?? ''}`;
    case 'output': {
      const at = place(symbol.name.start);
      // An alias that the change adds gives a column the name that it had: it means what it meant.
      return at === undefined && symbol.origin !== undefined
        ? symbolKey(symbol.origin, reading, place)
        : `output ${at ?? ''}`;
    }
  }
}

function mergedKey({ name, sources }: MergedName, place: Placing): string {
  const key = keyOf(name.text);
  const columns = sources.map((source) => {
    const start = source.item?.source.start;
    return `${start === undefined ? '' : (place(start) ?? '')}/${columnAt(source, key)}`;
  });
  return `merged ${columns.join(' ')}`;
}

/** Which of its columns a source gives for a name. */
function columnAt({ shape }: Source, key: string): number {
  const column = shape.find(key);
  return column === undefined ? -1 : shape.columns.indexOf(column);
}

/** A NATURAL JOIN joins whatever has the same name: a renamed column may join or leave it. */
function naturalJoins({ sources }: Scope): Meanings['natural'] {
  return sources.flatMap((right, position) => {
    const { item } = right;
    if (item?.join?.natural !== true) {
      return [];
    }
    const pairs = sources.slice(0, position).flatMap((left, at) =>
      right.shape.columns.flatMap(({ name }, index) => {
        const other = name === '' ? -1 : columnAt(left, keyOf(name));
        return other < 0 ? [] : [`${at}.${other}=${index}`];
      }),
    );
    return [{ item, pairs: pairs.join(' ') }];
  });
}
