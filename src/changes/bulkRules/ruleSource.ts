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

/** What a person has chosen. */
export interface ChangeChoices {
  readonly scope: TableScope;
  readonly columns: ChosenColumns;
  /** Rules that hide values become lists of the values that are known. */
  readonly isRewriting: boolean;
}

/** The rules that are wanted, and what is to be said of them. */
export interface WantedRules {
  readonly rules: readonly TableRule[];
  readonly problems: readonly TableProblem[];
  /** Sentences about what cannot be carried over. */
  readonly refused: readonly string[];
  readonly mapping?: readonly ColumnMapping[];
  /** Rules that hide values where the target cannot. */
  readonly blocks?: number;
}

/** Where wanted rules come from: a file, the clipboard, another datamodel. */
export interface RuleSource {
  /**
   * @param catalog the tables of the target, where they are known
   * @throws ApiError
   */
  read(choices: ChangeChoices, catalog: Catalog | undefined): Promise<WantedRules>;
  /** Parties are identifiers of this instance: nobody has to be looked up. */
  readonly hasIds?: boolean;
  /** What the source calls a party that it names by identifier. */
  readonly getName?: (party: TableParty) => string | undefined;
}
