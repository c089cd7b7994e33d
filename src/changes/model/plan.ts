import type { JsonValue } from '../../base/json.ts';
import type { PartyKind } from '../../catalog/people/userDirectory.ts';
import type { PartyType } from '../../contract/terms.ts';
import type { AccessDifference } from '../../security/change/accessDifference.ts';
import type { ViewpointDifference } from '../../security/change/viewpointDifference.ts';
import type { ColumnName } from '../../security/tableAccess.ts';
import type { Grant } from '../../security/readRules.ts';
import type { ResourceKind, ResourceRef } from '../../catalog/resourceRef.ts';
import type { Operation, PendingBuild, RequiredBuild } from './operation.ts';

/**
 * The severity of a plan; all but `harmless` need a review. `unchecked`: possible breaks could not be checked;
 * `destructive`: something is deleted; `breaking`: something else stops working.
 */
export type PlanSeverity = 'harmless' | 'unchecked' | 'destructive' | 'breaking';

/** An item in a plan. The UI provides the label of its kind and a link to the resource. */
export interface PlanSubject {
  readonly kind: ResourceKind;
  /** Its name; empty if it has none. */
  readonly name: string;
  /** The names of its containers, outermost first. */
  readonly within: readonly string[];
  /** Absent if it doesn't exist yet. */
  readonly resource?: ResourceRef;
  /** The access that a rule grants, and to whom; absent for other kinds, and for a rule that can't be parsed. */
  readonly rule?: PlannedRule;
  /** The column of a rule; absent for other kinds. */
  readonly column?: ColumnName;
  /**
   * Set for a rule that is created or deleted if this changes the rules on its column, which are one item of a project.
   */
  readonly isPartOfChange?: true;
}

/** The content of a rule as a plan shows it: several rules on one column differ only in their content. */
export interface PlannedRule {
  readonly grant: Grant;
  /** `name` is the server's name of the party, or its ID if unknown; empty for everyone else. */
  readonly parties: readonly { readonly type: PartyType; readonly name: string }[];
}

/** A changed field. The values are short display texts; absent if the field had or will have no value. */
export interface FieldChange {
  readonly field: string;
  readonly before?: string;
  readonly after?: string;
  /** The whole texts, if they are better compared line by line: SQL, and texts of several lines. */
  readonly texts?: { readonly before: string; readonly after: string };
  /** The lists of users or groups, by ID or name, if the field lists them: `nameFieldParties` shows their names. */
  readonly parties?: {
    readonly type: PartyKind;
    readonly before: JsonValue | undefined;
    readonly after: JsonValue | undefined;
  };
}

/** A changed item with its changed fields. */
export interface ChangedSubject extends PlanSubject {
  readonly fields: readonly FieldChange[];
  /** For a rule, its content after the change. */
  readonly ruleAfter?: PlannedRule;
}

/**
 * The kinds of items that refer to others. An `accumulation` is the incremental build of a table, which refers to the
 * column whose last value it continues from (platform-facts.md, 2.4).
 */
export type ReferrerKind =
  | 'relation'
  | 'tableExpression'
  | 'columnExpression'
  | 'rule'
  | 'viewpoint'
  | 'accumulation';

/**
 * The way a reference breaks:
 * - `missing`: its target no longer exists, or no longer has the name;
 * - `ambiguous`: several items have the name;
 * - `type`: the target has another type;
 * - `captured`: the name refers to another item;
 * - `duplicate`: two columns or sources of a query get the same name;
 * - `joined`: a join by names joins other columns;
 * - `unreadable`: the SQL can't be parsed with the new names.
 */
export type BreakReason =
  | 'missing'
  | 'ambiguous'
  | 'type'
  | 'captured'
  | 'duplicate'
  | 'joined'
  | 'unreadable';

/** A reference that works before the operation and not after it. */
export interface BrokenReference {
  readonly referrerKind: ReferrerKind;
  /** The item that contains the reference. */
  readonly referrer: PlanSubject;
  /** The name of the target before the operation; that of the datamodel if the whole datamodel is deleted. */
  readonly names: { readonly table: string; readonly column?: string } | { readonly datamodel: string };
  readonly reason: BreakReason;
  /** The item that a `captured` name will refer to. */
  readonly capturedBy?: string;
}

/**
 * A part of the instance that could not be checked for breaks when the plan was created. `cubeSets`: the project lists
 * no cube sets, and the operation renames, deletes, or changes the data of something that the rules of a cube set may
 * name. No request lists the cube sets.
 */
export type UncheckedPart = 'datamodel' | 'rules' | 'viewpoints' | 'cubeSets';

/** Who gains and who loses a viewpoint. */
export interface ViewpointAccess {
  /** The name of the viewpoint after the operation. */
  readonly name: string;
  readonly differences: readonly ViewpointDifference[];
}

/** A change of data that access depends on. Its effect on access is unknown, because the new data is. */
export interface DataChange {
  /**
   * What changes. `sql`: the text of SQL. `names`: what names in SQL refer to, while its text stays the same. `source`:
   * the source or the type of data. `new`: a column with SQL is new.
   */
  readonly kind: 'sql' | 'names' | 'source' | 'new';
  /** The name of the table or dataset, or that of the column with its table. */
  readonly name: string;
  /** The columns whose values may change and decide who sees which rows. */
  readonly dependents: readonly string[];
  /** The restricted tables that the SQL of a table reads, if no rule restricts the table itself. */
  readonly reads: readonly string[];
}

/** Who gains and who loses access through an operation. */
export interface PlannedAccess {
  /** The datamodels and cube sets whose rules apply, by title. */
  readonly subjects: readonly {
    readonly title: string;
    readonly isCubeSet?: true;
    readonly difference: AccessDifference;
    /**
     * Differences that give access until the next build or publication, and not after it; absent if there are none.
     * Rules take effect at once, but queries may use the schema of the last build: a renamed or deleted column still
     * has its former name there, without the rules that have moved or are deleted, and a new relation doesn't exist
     * there (docs/platform-facts.md, 1.3). That includes former names from before the operation: nothing shows which
     * names the last build has.
     */
    readonly untilBuild?: PendingBuild & { readonly rows: AccessDifference['rows'] };
    /** The datamodel could not be read: which other tables the rules affect is unknown. */
    readonly hasUnreadableTables?: true;
    /**
     * The columns with rules of a cube set that have no effect after the operation, as far as known: no datamodel has
     * the column.
     */
    readonly rulesWithoutEffect?: readonly ColumnName[];
  }[];
  /** The viewpoints that other users and groups, or other apps, will have; absent if none are written. */
  readonly viewpoints?: readonly ViewpointAccess[];
  /**
   * The viewpoints that show more, or to more people, while the operation writes relations of their datamodel. Queries
   * may not know these relations before the next build or publication (docs/platform-facts.md, 1.3); absent if there
   * are none.
   */
  readonly viewpointsUntilBuild?: readonly (PendingBuild & { readonly viewpoint: string })[];
  /** The changes of data that access depends on; absent if there are none. */
  readonly dataChanges?: readonly DataChange[];
  /** The names of users and groups, by `type:id`. */
  readonly partyNames: ReadonlyMap<string, string>;
}

/** The effects of an operation, computed from its exact payload and the known state of the instance. */
export interface Plan {
  readonly operation: Operation;
  readonly severity: PlanSeverity;
  readonly created: readonly PlanSubject[];
  readonly changed: readonly ChangedSubject[];
  readonly deleted: readonly PlanSubject[];
  readonly breaks: readonly BrokenReference[];
  readonly builds: readonly RequiredBuild[];
  readonly unchecked: readonly UncheckedPart[];
  /**
   * Computes who gains and who loses access; called only to show the plan, since it may have to load rules.
   * @returns `undefined` for an operation that changes no rules, tables or relations, and no one's viewpoints
   * @throws ApiError
   */
  readonly loadAccess: () => Promise<PlannedAccess | undefined>;
}
