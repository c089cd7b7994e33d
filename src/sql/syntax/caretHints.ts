import type { CallExpr, TextRange, FromItem, SqlName, SqlQuery, SelectQuery } from './tree.ts';

/** The kind of text that is expected at the caret. The parser's first hint determines it; later ones add keywords. */
export type CaretMode =
  /** A value: column, function, literal. */
  | 'operand'
  /** A column after `qualifier.`. */
  | 'member'
  /** A table after FROM, JOIN or a comma. */
  | 'table'
  /** A column of the joined tables, in USING. */
  | 'using'
  /** A new name, for which nothing but keywords can be proposed. */
  | 'name'
  /** The type of a CAST. */
  | 'type'
  /** Keywords only: after a complete operand or clause. */
  | 'keyword';

/** The call around the caret and the index of the argument with the caret. */
export interface CallAtCaret {
  readonly name: SqlName;
  readonly openParenOffset: number;
  readonly argumentIndex: number;
  /** The ranges of the arguments before the caret. */
  readonly previousArguments: readonly TextRange[];
}

/** What the parser expects at the caret, collected while it parses. */
export interface CaretHints {
  mode: CaretMode | undefined;
  readonly keywords: Set<string>;
  qualifier: readonly SqlName[];
  call: CallAtCaret | undefined;
  /** Enclosing queries and selects, outermost first. */
  enclosingNodes: readonly (SqlQuery | SelectQuery)[];
  /** The clause of the innermost select; USING is part of its FROM clause. */
  clause: Clause;
  /** The FROM item whose ON or USING contains the caret. */
  joinedItem: FromItem | undefined;
  /** True if the caret is at the start of an ON condition. */
  isConditionStart: boolean;
}

export type Clause =
  | 'none'
  | 'select'
  | 'from'
  | 'on'
  | 'where'
  | 'group'
  | 'having'
  | 'qualify'
  | 'order'
  | 'limit'
  | 'window';

export function createEmptyHints(): CaretHints {
  return {
    mode: undefined,
    keywords: new Set(),
    qualifier: [],
    call: undefined,
    enclosingNodes: [],
    clause: 'none',
    joinedItem: undefined,
    isConditionStart: false,
  };
}

/** A call whose closing parenthesis has not been parsed yet, with the ranges of the arguments so far. */
export type OpenCall = Pick<CallExpr, 'name' | 'openParenOffset'> & { readonly args: TextRange[] };
