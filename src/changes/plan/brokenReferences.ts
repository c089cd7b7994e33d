import { type RuleSubject, getRuleSubject } from '../../catalog/ruleSubject.ts';
import { getRuleDatatype } from '../../contract/terms.ts';
import type { Rule } from '../../contract/rule.ts';
import type { Viewpoint } from '../../contract/viewpoint.ts';
import { findExpressionBreaks, type MeaningPredicate } from './expressionBreaks.ts';
import type { ModelIndex, ResolvedReference } from '../model/modelIndex.ts';
import type { BrokenReference, PlanSubject, ReferrerKind } from '../model/plan.ts';
import type { RulesOfSubject } from '../model/snapshot.ts';
import {
  createRelationSubject,
  createRulePlanSubject,
  createTableSubject,
  createViewpointSubject,
} from '../model/planSubjects.ts';
import { getViewpointColumns, readsFromSubject } from './viewpointColumns.ts';

/** Items that refer to the tables and columns of a datamodel. */
export interface Referrers {
  readonly rules: readonly RulesOfSubject[];
  readonly viewpoints: readonly Viewpoint[];
  /** Returns whether changed SQL must keep its meaning; false for SQL that the user has edited on purpose. */
  readonly mustKeepMeaning: MeaningPredicate;
}

/**
 * Finds the references that resolve differently, or no longer, after an operation. References that the operation itself
 * removes or updates don't count.
 * @param oldIndex the datamodel before the operation
 * @param newIndex the datamodel after the operation; `undefined` if it is deleted
 * @param referrers rules and viewpoints after the operation
 */
export function findBrokenReferences(
  oldIndex: ModelIndex,
  newIndex: ModelIndex | undefined,
  referrers: Referrers,
): readonly BrokenReference[] {
  const breaks = new BreakCollector(oldIndex, newIndex);
  if (newIndex !== undefined) {
    collectRelationBreaks(breaks, oldIndex, newIndex);
    for (const foundBreak of findExpressionBreaks(oldIndex, newIndex, referrers.mustKeepMeaning)) {
      breaks.addBreak(foundBreak);
    }
    collectAccumulationBreaks(breaks, oldIndex, newIndex);
  }
  for (const { subject, rules, isCubeSet } of referrers.rules) {
    if (newIndex === undefined && isCubeSet !== true) {
      // The rules of a datamodel are deleted with it (decisions.md, "Sandbox").
      continue;
    }
    const ruleColumns = new Set(rules.map(({ table, column }) => JSON.stringify([table, column])));
    for (const rule of rules) {
      const newNames = isCubeSet === true ? findNewNames(rule, oldIndex, newIndex) : undefined;
      // A rule that a rename leaves on the old name breaks nothing if the column has rules under its new name.
      if (newNames === undefined || !ruleColumns.has(JSON.stringify([newNames.table, newNames.column]))) {
        collectRuleBreaks(breaks, { rule, subject }, oldIndex, newIndex);
      }
    }
  }
  for (const viewpoint of referrers.viewpoints.filter((candidate) =>
    readsFromSubject(candidate, getRuleSubject(oldIndex.model)),
  )) {
    for (const { table, column } of getViewpointColumns(viewpoint)) {
      const source = { referrerKind: 'viewpoint', referrer: createViewpointSubject(viewpoint) } as const;
      breaks.addIfChanged(source, oldIndex.findByName(table, column), newIndex?.findByName(table, column));
    }
  }
  return breaks.breaks;
}

/**
 * Collects broken references without duplicates. For viewpoints, neither the columns of a deleted table nor the tables
 * of a deleted datamodel are listed individually.
 */
class BreakCollector {
  readonly #oldIndex: ModelIndex;
  readonly #newIndex: ModelIndex | undefined;
  readonly #breaks = new Map<string, BrokenReference>();

  constructor(oldIndex: ModelIndex, newIndex: ModelIndex | undefined) {
    this.#oldIndex = oldIndex;
    this.#newIndex = newIndex;
  }

  get breaks(): readonly BrokenReference[] {
    return [...this.#breaks.values()];
  }

  /** Adds a reference if it resolves to another target, or to none, after the operation. */
  addIfChanged(
    source: { readonly referrerKind: ReferrerKind; readonly referrer: PlanSubject },
    before: ResolvedReference | undefined,
    after: ResolvedReference | undefined,
  ): void {
    const isSame = before?.table.id === after?.table.id && before?.column?.id === after?.column?.id;
    if (before !== undefined && !isSame) {
      this.add(source, before, 'missing');
    }
  }

  add(
    { referrerKind, referrer }: { readonly referrerKind: ReferrerKind; readonly referrer: PlanSubject },
    { table, column }: ResolvedReference,
    reason: BrokenReference['reason'],
  ): void {
    if (this.#newIndex === undefined && referrerKind === 'viewpoint') {
      const datamodel = this.#oldIndex.model.title;
      this.addBreak({ referrerKind, referrer, names: { datamodel }, reason });
      return;
    }
    const isTableGone =
      this.#newIndex?.getTable(table.id) === undefined && this.#oldIndex.getTable(table.id) !== undefined;
    const omitsColumn = isTableGone && referrerKind === 'viewpoint';
    const names =
      column === undefined || omitsColumn
        ? { table: table.name }
        : { table: table.name, column: column.name };
    this.addBreak({ referrerKind, referrer, names, reason });
  }

  addBreak(newBreak: BrokenReference): void {
    const { referrerKind, referrer, names, reason } = newBreak;
    this.#breaks.set(
      JSON.stringify([referrerKind, referrer.resource ?? referrer.name, names, reason]),
      newBreak,
    );
  }
}

/** Collects relations that lose a column: they refer to columns by oid (rest-api.md, "Relation"). */
function collectRelationBreaks(breaks: BreakCollector, oldIndex: ModelIndex, newIndex: ModelIndex): void {
  for (const relation of newIndex.model.relations ?? []) {
    for (const { table, column } of relation.columns ?? []) {
      const before = oldIndex.getColumn(table, column);
      if (before !== undefined && newIndex.getColumn(table, column) === undefined) {
        const referrer = createRelationSubject(relation, oldIndex);
        breaks.add(
          { referrerKind: 'relation', referrer },
          { table: before.table, column: before },
          'missing',
        );
      }
    }
  }
}

/**
 * Collects accumulations that lose their column: they refer to it by oid and break silently (platform-facts.md, 2.4).
 */
function collectAccumulationBreaks(breaks: BreakCollector, oldIndex: ModelIndex, newIndex: ModelIndex): void {
  for (const table of newIndex.tables) {
    const id = table.table.buildBehavior?.accumulativeConfig?.column;
    const before = id ? oldIndex.getColumn(table.id, id) : undefined;
    if (id && before !== undefined && newIndex.getColumn(table.id, id) === undefined) {
      const source = { referrerKind: 'accumulation', referrer: createTableSubject(table, newIndex) } as const;
      breaks.add(source, { table: before.table, column: before }, 'missing');
    }
  }
}

/** Returns the new names of the column of a rule and of its table; `undefined` if both stay the same. */
function findNewNames(
  { table, column }: Rule,
  oldIndex: ModelIndex,
  newIndex: ModelIndex | undefined,
): { readonly table: string; readonly column: string } | undefined {
  const before = oldIndex.findByName(table, column);
  const after = before?.column && newIndex?.getColumn(before.table.id, before.column.id);
  return after === undefined || (after.name === column && after.table.name === table)
    ? undefined
    : { table: after.table.name, column: after.name };
}

/**
 * Collects rules whose column no longer exists or has another datatype. Rules refer to columns by name; a rule left on
 * an old name protects nothing (decisions.md, "SQL expressions").
 */
function collectRuleBreaks(
  breaks: BreakCollector,
  { rule, subject }: { readonly rule: Rule; readonly subject: RuleSubject },
  oldIndex: ModelIndex,
  newIndex: ModelIndex | undefined,
): void {
  const before = oldIndex.findByName(rule.table, rule.column);
  const after = newIndex?.findByName(rule.table, rule.column);
  const source = { referrerKind: 'rule', referrer: createRulePlanSubject(rule, subject) } as const;
  breaks.addIfChanged(source, before, after);
  const [oldType, newType] = [before, after].map((reference) =>
    getRuleDatatype(reference?.column?.column.type),
  );
  if (
    before !== undefined &&
    before.column?.id === after?.column?.id &&
    oldType === rule.datatype &&
    newType !== oldType
  ) {
    breaks.add(source, before, 'type');
  }
}
