import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { IdOrOutput } from '../../changes/model/undoWrites.ts';
import type { ItemChange } from '../compare/itemChange.ts';
import type { ItemKey } from '../item.ts';
import type { Renamer } from '../pull/renames.ts';
import type { ApplyProblem, DeferredChange } from './problems.ts';
import type { TargetDatamodel } from './targetNames.ts';
import type { WriteList } from './writeList.ts';

/** The key of a table. */
export type TableKey = Extract<ItemKey, { readonly kind: 'table' }>;

/** The changes of a table and of its SQL. */
export interface TableItemChange {
  readonly key: TableKey;
  /** The change of the table itself. */
  readonly change: ItemChange | undefined;
  /** The changes of its SQL. */
  readonly expressions: readonly ItemChange[];
  /** The content that the project wants. */
  readonly content: JsonValue;
}

/** The context of the tables of a datamodel. */
export interface TableContext {
  readonly datamodel: TargetDatamodel;
  readonly list: WriteList;
  readonly renamer: Renamer;
  /** Returns the SQL that the project has for a table or one of its columns. */
  readonly getSql: (table: string, column?: string) => string | undefined;
  readonly findId: (names: JsonObject) => IdOrOutput | undefined;
  /** Whether the operation includes deletions. */
  readonly includesDeletions: boolean;
  /**
   * The writes that hide tables and columns before anything else, if what the operation hides or deletes is hidden first
   * and what it shows is shown last; `undefined` if it does everything in one step (`canChangeInOneStep`).
   */
  readonly hidingList: WriteList | undefined;
  /** Whether changes of rules wait for the next apply: until then, whatever would be shown stays hidden. */
  readonly keepsHidden: boolean;
  /** Returns whether the names are those of a column that only a build creates. */
  readonly isGenerated: (names: JsonObject) => boolean;
  readonly problems: ApplyProblem[];
  readonly deferred: DeferredChange[];
}
