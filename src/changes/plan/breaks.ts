import { type RuleSubject, getRuleSubject } from '../../catalog/ruleSubject.ts';
import { getRuleDatatype } from '../../contract/terms.ts';
import type { Rule } from '../../contract/rule.ts';
import type { Viewpoint } from '../../contract/viewpoint.ts';
import { findExpressionBreaks, type IsJudged } from './expressionBreaks.ts';
import type { ModelIndex, Resolved } from '../model/modelIndex.ts';
import type { Break, PlanSubject, ReferrerKind } from '../model/plan.ts';
import type { RulesOfSubject } from '../model/snapshot.ts';
import {
  createRelationSubject,
  createRuleSubjectIn,
  createTableSubject,
  createViewpointSubject,
} from '../model/subjects.ts';
import { getViewpointColumns, readsFrom } from './viewpointNames.ts';

/** Items that refer to the tables and columns of a datamodel. */
export interface Referrers {
  readonly rules: readonly RulesOfSubject[];
  readonly viewpoints: readonly Viewpoint[];
  /** Returns whether changed SQL must keep its meaning; false for SQL that the user has edited on purpose. */
  readonly isJudged: IsJudged;
}

/**
 * Finds the references that resolve differently, or no longer, after an operation. References that the operation itself
 * removes or updates are no breaks.
 * @param oldIndex the datamodel before the operation
 * @param newIndex the datamodel after the operation; `undefined` if it is deleted
 * @param referrers rules and viewpoints after the operation
 */
export function findBreaks(
  now: ModelIndex,
  then: ModelIndex | undefined,
  referrers: Referrers,
): readonly Break[] {
  const breaks = new BreakCollector(now, then);
  if (then !== undefined) {
    collectRelationBreaks(breaks, now, then);
    for (const one of findExpressionBreaks(now, then, referrers.isJudged)) {
      breaks.addBreak(one);
    }
    collectAccumulationBreaks(breaks, now, then);
  }
  for (const { subject, rules } of referrers.rules) {
    for (const rule of rules) {
      collectRuleBreaks(breaks, { rule, subject }, now, then);
    }
  }
  for (const viewpoint of referrers.viewpoints.filter((one) => readsFrom(one, getRuleSubject(now.model)))) {
    for (const { table, column } of getViewpointColumns(viewpoint)) {
      const by = { by: 'viewpoint', referrer: createViewpointSubject(viewpoint) } as const;
      breaks.compare(by, now.findByName(table, column), then?.findByName(table, column));
    }
  }
  return breaks.found;
}

/** Collects breaks without duplicates. For viewpoints, the columns of a deleted table are not listed individually. */
class BreakCollector {
  readonly #now: ModelIndex;
  readonly #then: ModelIndex | undefined;
  readonly #found = new Map<string, Break>();

  constructor(now: ModelIndex, then: ModelIndex | undefined) {
    this.#now = now;
    this.#then = then;
  }

  get found(): readonly Break[] {
    return [...this.#found.values()];
  }

  /** Adds a break if a reference resolves to another target, or to none, after the operation. */
  compare(
    by: { readonly by: ReferrerKind; readonly referrer: PlanSubject },
    before: Resolved | undefined,
    after: Resolved | undefined,
  ): void {
    const isSame = before?.table.id === after?.table.id && before?.column?.id === after?.column?.id;
    if (before !== undefined && !isSame) {
      this.add(by, before, 'missing');
    }
  }

  add(
    { by, referrer }: { readonly by: ReferrerKind; readonly referrer: PlanSubject },
    { table, column }: Resolved,
    reason: Break['reason'],
  ): void {
    const tableIsGone = this.#then?.table(table.id) === undefined && this.#now.table(table.id) !== undefined;
    const whole = tableIsGone && by === 'viewpoint';
    const names =
      column === undefined || whole ? { table: table.name } : { table: table.name, column: column.name };
    this.addBreak({ by, referrer, names, reason });
  }

  addBreak(one: Break): void {
    const { by, referrer, names, reason } = one;
    this.#found.set(JSON.stringify([by, referrer.resource ?? referrer.name, names, reason]), one);
  }
}

/** Collects relations that lose a column: they refer to columns by oid (rest-api.md, "Relation"). */
function collectRelationBreaks(breaks: BreakCollector, now: ModelIndex, then: ModelIndex): void {
  for (const relation of then.model.relations ?? []) {
    for (const { table, column } of relation.columns ?? []) {
      const before = now.column(table, column);
      if (before !== undefined && then.column(table, column) === undefined) {
        const referrer = createRelationSubject(relation, now);
        breaks.add({ by: 'relation', referrer }, { table: before.table, column: before }, 'missing');
      }
    }
  }
}

/**
 * Collects accumulations that lose their column: they refer to it by oid and break silently (platform-facts.md, 2.4).
 */
function collectAccumulationBreaks(breaks: BreakCollector, now: ModelIndex, then: ModelIndex): void {
  for (const table of then.tables) {
    const id = table.table.buildBehavior?.accumulativeConfig?.column;
    const before = id ? now.column(table.id, id) : undefined;
    if (id && before !== undefined && then.column(table.id, id) === undefined) {
      const by = { by: 'accumulation', referrer: createTableSubject(table, then) } as const;
      breaks.add(by, { table: before.table, column: before }, 'missing');
    }
  }
}

/**
 * Collects rules whose column no longer exists or has another datatype. Rules refer to columns by name; a rule left on
 * an old name protects nothing (decisions.md, "SQL expressions").
 */
function collectRuleBreaks(
  breaks: BreakCollector,
  { rule, subject }: { readonly rule: Rule; readonly subject: RuleSubject },
  now: ModelIndex,
  then: ModelIndex | undefined,
): void {
  const before = now.findByName(rule.table, rule.column);
  const next = then?.findByName(rule.table, rule.column);
  const by = { by: 'rule', referrer: createRuleSubjectIn(rule, subject) } as const;
  breaks.compare(by, before, next);
  const [was, is] = [before, next].map((found) => getRuleDatatype(found?.column?.column.type));
  if (before !== undefined && before.column?.id === next?.column?.id && was === rule.datatype && is !== was) {
    breaks.add(by, before, 'type');
  }
}
