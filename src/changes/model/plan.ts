import type { PartyType } from '../../contract/terms.ts';
import type { Grant } from '../../security/readRule.ts';
import type { ResourceKind, ResourceRef } from '../../catalog/resourceRef.ts';
import type { Operation } from './operation.ts';

/**
 * What an operation asks of the person before it is sent: nothing, a look because what might break could not be looked
 * at, a look because something goes, or a look because something else stops working.
 */
export type PlanSeverity = 'harmless' | 'unchecked' | 'destructive' | 'breaking';

/** Something that the plan speaks of. The shell words the kind and links the resource. */
export interface PlanSubject {
  readonly kind: ResourceKind;
  /** What it is called; empty where nothing names it. */
  readonly name: string;
  /** What it is in, from the outside in. */
  readonly within: readonly string[];
  /** Absent for what is not there yet. */
  readonly resource?: ResourceRef;
  /** What a rule lets whom see; absent for everything else, and where the rule says nothing that can be read. */
  readonly rule?: PlannedRule;
}

/** A rule as a plan tells it: several rules on one column would else look the same. */
export interface PlannedRule {
  readonly grant: Grant;
  /** By the names that the server has for them, else by their identifiers; that of everybody else is empty. */
  readonly parties: readonly { readonly type: PartyType; readonly name: string }[];
}

/** A changed field; values are short texts for people, absent where there was or will be nothing. */
export interface FieldChange {
  readonly field: string;
  readonly before?: string;
  readonly after?: string;
}

/** Something that is changed, field by field; of a rule also what it lets whom see from then on. */
export interface ChangedSubject extends PlanSubject {
  readonly fields: readonly FieldChange[];
  readonly becomes?: PlannedRule;
}

/** What a person's work refers to, and by what. */
export type ReferrerKind =
  | 'relation'
  | 'tableExpression'
  | 'columnExpression'
  | 'rule'
  | 'viewpoint'
  | 'accumulation';

/**
 * How a reference ends: what it names is gone, several things have the name now, it has another type, or the name
 * stands for something else. `twice`: two columns or sources of a query get one name; `joined`: a join by names joins
 * other columns; `unreadable`: the text cannot be read with the new names.
 */
export type BreakReason = 'missing' | 'ambiguous' | 'type' | 'captured' | 'twice' | 'joined' | 'unreadable';

/** A reference that works before the operation and would not work after it. */
export interface Break {
  readonly by: ReferrerKind;
  /** Whose reference it is. */
  readonly referrer: PlanSubject;
  /** What is referred to, by the name that it has before the operation. */
  readonly names: { readonly table: string; readonly column?: string };
  readonly reason: BreakReason;
  /** What the name would stand for, where it is `captured`. */
  readonly instead?: string;
}

/** What has to be built before a change shows in queries (spec, "Builds"). */
export interface BuildNeed {
  readonly datamodelId: string;
  readonly title: string;
  readonly type: 'schema_changes' | 'publish';
}

/** What could not be looked at when the plan was made, so that nothing is said of it. */
export type UncheckedPart = 'datamodel' | 'rules' | 'viewpoints';

/** What an operation will do, from its exact payload and what is known of the instance. */
export interface Plan {
  readonly operation: Operation;
  readonly severity: PlanSeverity;
  readonly created: readonly PlanSubject[];
  readonly changed: readonly ChangedSubject[];
  readonly deleted: readonly PlanSubject[];
  readonly breaks: readonly Break[];
  readonly builds: readonly BuildNeed[];
  readonly unchecked: readonly UncheckedPart[];
}
