import type { ColumnAccess } from '../columnAccess.ts';
import type { PartyRef } from '../readRules.ts';
import type { ColumnName, TableVerdict } from '../tableAccess.ts';

/** What a change does to the access of a party; `changes`: it may both gain and lose. */
export type AccessEffect = 'gains' | 'changes' | 'loses';

interface PartyDifference {
  readonly party: PartyRef;
  /** If the difference concerns users who are in several groups at once: the IDs of their groups besides `party`. */
  readonly otherGroupIds?: readonly string[];
  readonly effect: AccessEffect;
  /** True if the effect depends on the groups of a user, or on rules that can be read in several ways. */
  readonly isUncertain: boolean;
}

/** The values of one column that a party sees. */
export type VisibleValues = Pick<ColumnAccess, 'access' | 'bounds'>;

/** A party that sees other values of a column, because the rules on that column change. */
export interface ColumnDifference extends PartyDifference {
  readonly kind: 'column';
  readonly name: ColumnName;
  /**
   * The tables whose rows depend on the column before and after the change: its own, and those linked to it. Empty if
   * they are unknown.
   */
  readonly tables: readonly string[];
  readonly before: VisibleValues;
  readonly after: VisibleValues;
}

/** The rows of tables that a party sees. */
export interface VisibleRows {
  readonly verdict: TableVerdict;
  /**
   * Some of the columns that restrict the rows. Columns that restrict them only before, or only after, the change come
   * first. If no rows are visible, contains only columns without visible values.
   */
  readonly conditions: readonly (VisibleValues & { readonly name: ColumnName })[];
  /** The number of all such columns, including those that `conditions` leaves out. */
  readonly conditionCount: number;
}

/** A party that sees other rows of some tables, because the tables are linked to other columns with rules. */
export interface TableDifference extends PartyDifference {
  readonly kind: 'tables';
  readonly tables: readonly string[];
  readonly before: VisibleRows;
  readonly after: VisibleRows;
}

/** What one party gains or loses. Names are those from before the change. */
export type AccessDifferenceRow = ColumnDifference | TableDifference;

/** The party of a difference, and the other groups that the users are in. */
export const getRowParties = ({ party, otherGroupIds = [] }: AccessDifferenceRow): readonly PartyRef[] => [
  party,
  ...otherGroupIds.map((id): PartyRef => ({ type: 'group', id })),
];
