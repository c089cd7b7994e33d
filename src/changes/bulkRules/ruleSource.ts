import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import type { TableScope } from '../../security/change/ruleDifference.ts';
import type { ChosenColumns, ColumnMapping } from '../../security/copy/columnMapping.ts';
import type { TableParty, TableProblem, TableRule } from '../../security/ruleTable/tableRule.ts';
import type { Catalog } from '../../sql/language.ts';

/** The datamodel or cube set whose rules are changed. */
export interface BulkRuleTarget {
  readonly connectionId: string;
  readonly subject: RuleSubject;
}

/** The options that the user has chosen. */
export interface ChangeChoices {
  readonly scope: TableScope;
  readonly columns: ChosenColumns;
  /** Rewrites rules that hide values as lists of the known values. */
  readonly isRewriting: boolean;
}

/** The wanted rules and the messages about them. */
export interface WantedRules {
  readonly rules: readonly TableRule[];
  readonly problems: readonly TableProblem[];
  /** Sentences about rules that can't be carried over. */
  readonly refused: readonly string[];
  readonly mapping?: readonly ColumnMapping[];
  /** The number of rules that hide values on a target that doesn't support it. */
  readonly blocks?: number;
}

/** A source of wanted rules: a file, the clipboard, another datamodel. */
export interface RuleSource {
  /**
   * @param catalog the tables of the target, if known
   * @throws ApiError
   */
  read(choices: ChangeChoices, catalog: Catalog | undefined): Promise<WantedRules>;
  /** Parties are IDs of this instance, so no lookup is needed. */
  readonly hasIds?: boolean;
  /** Returns the source's name of a party that it identifies by ID. */
  readonly getName?: (party: TableParty) => string | undefined;
}
