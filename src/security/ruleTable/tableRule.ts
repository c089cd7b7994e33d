import type { PartyType } from '../../contract/terms.ts';
import type { ValueSet } from '../valueSet.ts';

/** A party in a row. */
export interface TableParty {
  readonly type: PartyType;
  /** The ID or the display name; empty for the default party. */
  readonly idOrName: string;
}

/** A name that rows of a table contain beside the ID of a user or group. Both must belong to the same user or group. */
export interface TablePartyName {
  readonly rows: readonly number[];
  /** The user or group by its ID. */
  readonly party: TableParty;
  readonly name: string;
}

/** A rule in a table. */
export interface TableRule {
  /** The numbers of the rows that it was read from; blank rows and the heading count. */
  readonly rows: readonly number[];
  readonly table: string;
  readonly column: string;
  readonly datatype?: 'text' | 'numeric' | undefined;
  readonly grant: ValueSet;
  readonly parties: readonly TableParty[];
}

/** A problem with a table or one of its rows. The UI creates the message from `code` and `args`. */
export interface TableProblem {
  readonly code:
    | 'empty'
    | 'missing-column'
    /** A column is ignored. The arguments are its heading and, if one is similar, the name of a known column. */
    | 'ignored-column'
    /** A quote is not closed, or text follows a closing quote. */
    | 'quotes'
    | 'cell-required'
    | 'unknown-access'
    | 'unknown-party-type'
    | 'unknown-datatype'
    | 'default-has-party'
    /** The rows of one rule have different columns, datatypes or access. */
    | 'mixed-rule'
    /** A rule that grants everything or nothing lists values. */
    | 'value-ignored'
    | 'empty-value'
    /** Whitespace around the only value of a cell is ignored. */
    | 'padded-value'
    /** A cell lists several values. The arguments are their number, and the values. */
    | 'several-values'
    /** A row has text beyond the last column. */
    | 'surplus-field'
    /** A cell has characters that could not be decoded. */
    | 'undecodable-text'
    /** The encoding of the file was guessed. */
    | 'guessed-encoding';
  readonly severity: 'error' | 'warning';
  /** 0 for a problem with the whole table. */
  readonly row: number;
  readonly args: readonly string[];
}
