import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import type { ImportMode } from '../../security/change/ruleDifference.ts';
import type { ChosenColumns, ColumnMapping } from '../../security/copy/columnMapping.ts';
import type {
  TableParty,
  TablePartyName,
  TableProblem,
  TableRule,
} from '../../security/ruleTable/tableRule.ts';
import type { Catalog } from '../../sql/language.ts';

/** The datamodel or cube set whose rules are changed. */
export interface BulkRuleTarget {
  readonly connectionId: string;
  readonly subject: RuleSubject;
}

/** The options of a rule change, as chosen by the user. */
export interface ChangeChoices {
  readonly mode: ImportMode;
  readonly columns: ChosenColumns;
  /** Whether rules that hide values are rewritten as lists of the other known values. */
  readonly rewritesExclusions: boolean;
}

/** The rules that a source provides, and messages about them. */
export interface SourceRules {
  readonly rules: readonly TableRule[];
  /** The names that a table has next to IDs. */
  readonly partyNames?: readonly TablePartyName[];
  readonly problems: readonly TableProblem[];
  /** Messages about rules that can't be copied. */
  readonly warnings: readonly string[];
  readonly mapping?: readonly ColumnMapping[];
  /** The number of rules that hide values, if the target doesn't support such rules. */
  readonly exclusionCount?: number;
}

/** A source of rules: a file, the clipboard, or another datamodel. */
export interface RuleSource {
  /**
   * Reads the rules from the source.
   * @param catalog the tables of the target, if known
   * @throws ApiError
   */
  readRules(choices: ChangeChoices, catalog: Catalog | undefined): Promise<SourceRules>;
  /** True if the rules name their parties by IDs of the target instance, so that no lookup is needed. */
  readonly hasPartyIds?: boolean;
  /** Returns the source's name of a party that it identifies by ID. */
  readonly getName?: (party: TableParty) => string | undefined;
}
