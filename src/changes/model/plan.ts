import type { PartyType } from '../../contract/terms.ts';
import type { Grant } from '../../security/readRule.ts';
import type { ResourceKind, ResourceRef } from '../../catalog/resourceRef.ts';
import type { Operation } from './operation.ts';

/**
 * The review that an operation needs before it is sent: none, or one because possible breaks could not be checked,
 * because something is deleted, or because something else stops working.
 */
export type PlanSeverity = 'harmless' | 'unchecked' | 'destructive' | 'breaking';

/** A subject of the plan. The shell provides the label of its kind and a link to the resource. */
export interface PlanSubject {
  readonly kind: ResourceKind;
  /** Its name; empty if it has none. */
  readonly name: string;
  /** The names of its containers, outermost first. */
  readonly within: readonly string[];
  /** Absent if it doesn't exist yet. */
  readonly resource?: ResourceRef;
  /** The access that a rule grants, and to whom; absent for other subjects, and for a rule that can't be read. */
  readonly rule?: PlannedRule;
}

/** A rule as a plan shows it: otherwise, several rules on one column would look the same. */
export interface PlannedRule {
  readonly grant: Grant;
  /** By the names that the server has for them, or by their IDs; empty for everyone else. */
  readonly parties: readonly { readonly type: PartyType; readonly name: string }[];
}

/** A changed field; values are short texts for people, absent if there was or will be no value. */
export interface FieldChange {
  readonly field: string;
  readonly before?: string;
  readonly after?: string;
}

/** A changed subject, field by field; for a rule, also what it will show to whom. */
export interface ChangedSubject extends PlanSubject {
  readonly fields: readonly FieldChange[];
  readonly becomes?: PlannedRule;
}

/** The kinds of items that refer to others. */
export type ReferrerKind =
  | 'relation'
  | 'tableExpression'
  | 'columnExpression'
  | 'rule'
  | 'viewpoint'
  | 'accumulation';

/**
 * The way a reference breaks: its target is gone, several items have the name now, the target has another type, or the
 * name refers to something else. `twice`: two columns or sources of a query get one name; `joined`: a join by names
 * joins other columns; `unreadable`: the text can't be read with the new names.
 */
export type BreakReason = 'missing' | 'ambiguous' | 'type' | 'captured' | 'twice' | 'joined' | 'unreadable';

/** A reference that works before the operation and would not work after it. */
export interface Break {
  readonly by: ReferrerKind;
  /** The item that contains the reference. */
  readonly referrer: PlanSubject;
  /** The target of the reference, by its name before the operation. */
  readonly names: { readonly table: string; readonly column?: string };
  readonly reason: BreakReason;
  /** The item that the name would refer to if it is `captured`. */
  readonly instead?: string;
}

/** A build that is needed before a change shows in queries (rest-api.md, "Build API"). */
export interface BuildNeed {
  readonly datamodelId: string;
  readonly title: string;
  readonly type: 'schema_changes' | 'publish';
}

/** A part that could not be checked when the plan was created, so the plan says nothing about it. */
export type UncheckedPart = 'datamodel' | 'rules' | 'viewpoints';

/** The effects of an operation, from its exact payload and what is known of the instance. */
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
