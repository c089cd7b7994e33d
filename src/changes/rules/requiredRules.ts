import type { JsonObject, JsonValue } from '../../base/json.ts';
import { getRefKey, type ResourceRef } from '../../catalog/resourceRef.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import type { Write } from '../model/operation.ts';
import { getText } from '../model/jsonMembers.ts';
import { getWriteRuleSubject } from '../model/ruleSubjects.ts';
import { ExpectedRules, type ExpectedRule, getRuleSteps, type RuleStep } from './expectedRules.ts';
import { getNameEffects, type NameEffect, type RuleColumn } from './nameEffects.ts';
import { type ParsedRuleDocument, parseRuleDocuments } from './parsedRuleDocument.ts';
import { getRuleAction, isGroupedRuleWrite } from './ruleAction.ts';
import { collectRules } from './ruleEdits.ts';
import { type RuleWriteGroup, getRuleWriteGroups } from './ruleWriteGroup.ts';
import { createRestrictionCheck, findShownDatasources } from './shownDatasources.ts';

/** A document from before the operation; rules with the datamodels that they may apply to, if that is known. */
interface DocumentBefore {
  readonly ref: ResourceRef;
  readonly document?: JsonValue | undefined;
  readonly datamodels?: readonly string[] | undefined;
}

/** A rule that must be in force before a write is sent. */
export interface RequiredRule {
  readonly subject: RuleSubject;
  readonly parsed: ParsedRuleDocument;
  /** An earlier write has created or shown its column: without the rule, its values are visible. */
  readonly isExposed: boolean;
}

/** A write with what it does to names. */
interface IndexedEffect {
  readonly index: number;
  readonly effect: NameEffect;
}

/** The effects on the names that some rules may be on, by the names of tables; `undefined` for effects on any table. */
type EffectsByTable = ReadonlyMap<string | undefined, readonly IndexedEffect[]>;

/** The rules of a datamodel or cube set before an operation, and as each step of the operation changes them. */
interface RuleTimeline {
  readonly subject: RuleSubject;
  /** The datamodels of the operation that they may apply to; `undefined` if that isn't known. */
  readonly datamodels: readonly string[] | undefined;
  readonly before: ExpectedRules;
  readonly steps: readonly RuleStep[];
  readonly effects: EffectsByTable;
}

/**
 * The rules that the writes of an operation rely on. While a name doesn't exist, rules on it restrict nothing, so
 * others may delete them before a write of the operation creates the name. These rules must be in force:
 * - before a write that creates, renames, or shows a table or column: all rules on the new names, whether the operation
 *   has added them or found them there;
 * - before a write that removes tables, columns, relations, or rules: those that the operation has added or updated;
 * - before a write that removes rules: also those on all names that earlier writes have exposed;
 * - before a write that creates a viewpoint, or may show or share more of one: those that the operation has added or
 *   updated, and those on all names that earlier writes have exposed, since they restrict what the viewpoint shows.
 *
 * Only rules that may apply to the datamodel of the write or viewpoint count: others may name the same tables and
 * columns. Rules on linked tables aren't included: their columns exist, so a change of them has an effect that others
 * can see.
 */
export class RequiredRules {
  readonly #writes: readonly Write[];
  readonly #effects: readonly NameEffect[];
  readonly #datasources: ReturnType<typeof findShownDatasources>;
  readonly #before: readonly DocumentBefore[];
  /** By {@link NameEffect.datamodelKey}. */
  readonly #indexedEffects: ReadonlyMap<string, readonly IndexedEffect[]>;
  #computedRules: ReadonlyMap<string, RuleTimeline> | undefined;
  #computedIndex: ReadonlyMap<string | undefined, readonly RuleTimeline[]> | undefined;

  /**
   * @param before the documents from before the operation, with all rules on the tables whose names it changes;
   * `addRuleDatamodels` has set the datamodels of the rules
   */
  constructor(writes: readonly Write[], before: readonly DocumentBefore[]) {
    this.#writes = writes;
    this.#before = before;
    this.#effects = getNameEffects(writes, before);
    this.#datasources = findShownDatasources(writes, before);
    this.#indexedEffects = Map.groupBy(
      this.#effects.map((effect, index) => ({ effect, index })),
      ({ effect }) => effect.datamodelKey,
    );
  }

  /** The rules by the keys of their subjects. Computed when needed: an import of rules alone needs none. */
  get #rulesBySubject(): ReadonlyMap<string, RuleTimeline> {
    this.#computedRules ??= this.#collectRules();
    return this.#computedRules;
  }

  #collectRules(): ReadonlyMap<string, RuleTimeline> {
    const documents = Map.groupBy(this.#before, ({ ref }) =>
      'subject' in ref ? getSubjectKey(ref.subject) : undefined,
    );
    const changes = Map.groupBy(getRuleChanges(this.#writes), ({ subject }) => getSubjectKey(subject));
    const subjects = new Map(
      [
        ...this.#writes.map(getWriteRuleSubject),
        ...this.#before.map(({ ref }) => ('subject' in ref ? ref.subject : undefined)),
      ]
        .filter((subject) => subject !== undefined)
        .map((subject) => [getSubjectKey(subject), subject]),
    );
    return new Map(
      [...subjects].map(([key, subject]) => {
        const documentsOfSubject = documents.get(key) ?? [];
        const rules = collectRules(documentsOfSubject, subject);
        const { datamodels } = documentsOfSubject.find((document) => document.datamodels !== undefined) ?? {};
        return [
          key,
          {
            subject,
            datamodels,
            before: new ExpectedRules(
              parseRuleDocuments(rules).map((parsed) => ({ parsed, isEdited: false })),
            ),
            steps: getRuleSteps(changes.get(key) ?? [], this.#writes, rules),
            effects: this.#indexEffects(datamodels),
          },
        ];
      }),
    );
  }

  /** The rules that may apply to each datamodel. The key `undefined` has those whose datamodels aren't known. */
  get #rulesByDatamodel(): ReadonlyMap<string | undefined, readonly RuleTimeline[]> {
    this.#computedIndex ??= groupByEach(
      [...this.#rulesBySubject.values()],
      ({ datamodels = [undefined] }) => datamodels,
    );
    return this.#computedIndex;
  }

  #indexEffects(datamodels: readonly string[] | undefined): EffectsByTable {
    const indexed =
      datamodels === undefined
        ? [...this.#indexedEffects.values()].flat()
        : datamodels.flatMap((datamodel) => this.#indexedEffects.get(datamodel) ?? []);
    return groupByEach(indexed, ({ effect: { tables } }) => (tables === 'any' ? [undefined] : tables));
  }

  /**
   * Returns the rules that must be in force before a write is sent; for rules that are changed together, before the
   * first of their writes. Rules on columns whose rules the write itself changes are left out.
   * @param isDone returns whether an earlier write is done
   */
  getForWrite(index: number, isDone: (index: number) => boolean = () => true): readonly RequiredRule[] {
    const [write, effect] = [this.#writes[index], this.#effects[index]];
    if (write === undefined || effect === undefined) {
      return [];
    }
    const subject = getWriteRuleSubject(write);
    const datasource = this.#datasources.get(index);
    const required =
      subject !== undefined
        ? this.#getForRules(index, subject)
        : datasource !== undefined
          ? this.#getRestricting(datasource).flatMap((rules) => getReliedOnRules(rules, index))
          : this.#getForNames(index, effect);
    return required.map((rule) => toRequired(rule, { end: index, isDone }));
  }

  /**
   * Returns the rules that must be in force before any of some writes is sent, each once. Leaves out those on columns
   * whose rules the operation has yet to change.
   * @param indices in ascending order
   */
  getForAll(indices: readonly number[], isDone: (index: number) => boolean): readonly RequiredRule[] {
    const found = new Map<ParsedRuleDocument, RequiredRule>();
    const pendingColumns = this.#getPendingColumns(isDone);
    const add = (required: RequiredRule): void => {
      const { subject, parsed, isExposed: isVisible } = required;
      if (pendingColumns.get(getSubjectKey(subject))?.has(parsed.columnKey) !== true) {
        const isExposed = isVisible || found.get(parsed)?.isExposed === true;
        found.set(parsed, { ...required, isExposed });
      }
    };
    // Between two changes of rules, the last write of a viewpoint relies on everything that earlier ones rely on.
    const lastOfViewpoints = new Map<ExpectedRules, { readonly rules: RuleTimeline; readonly end: number }>();
    for (const index of indices) {
      const datasource = this.#datasources.get(index);
      if (datasource === undefined) {
        this.getForWrite(index, isDone).forEach(add);
      } else {
        for (const rules of this.#getRestricting(datasource)) {
          lastOfViewpoints.set(getRulesAt(rules, index), { rules, end: index });
        }
      }
    }
    for (const { rules, end } of lastOfViewpoints.values()) {
      getReliedOnRules(rules, end).forEach((rule) => add(toRequired(rule, { end, isDone })));
    }
    return [...found.values()];
  }

  /** Returns the columns with rules that the operation has yet to change, by the keys of their subjects. */
  #getPendingColumns(isDone: (index: number) => boolean): ReadonlyMap<string, ReadonlySet<string>> {
    return new Map(
      [...this.#rulesBySubject].map(([key, { steps }]) => [
        key,
        new Set(
          steps.flatMap(({ writeIndices, columnKeys }) =>
            writeIndices.every(isDone) ? [] : [...columnKeys],
          ),
        ),
      ]),
    );
  }

  /** Returns the rules that a write of tables, columns, or relations relies on. */
  #getForNames(index: number, effect: NameEffect): readonly TimelineRule[] {
    if (!effect.mayShowMore) {
      return [];
    }
    const candidates = [
      ...(this.#rulesByDatamodel.get(effect.datamodelKey) ?? []),
      ...(this.#rulesByDatamodel.get(undefined) ?? []),
    ];
    return candidates.flatMap((rules) => {
      const expected = getRulesAt(rules, index);
      const exposes = ({ parsed }: ExpectedRule): boolean => effect.mayExpose(toColumn(parsed));
      return [
        ...expected.getRulesOnTables(effect.tables).filter(exposes),
        ...expected.edited.filter(
          (rule) => !exposes(rule) && effect.mayRemoveProtection(toColumn(rule.parsed)),
        ),
      ].map(({ parsed }) => ({ rules, parsed }));
    });
  }

  /** Returns the rules that a change of rules relies on. */
  #getForRules(index: number, subject: RuleSubject): readonly TimelineRule[] {
    const rules = this.#rulesBySubject.get(getSubjectKey(subject));
    const step = rules?.steps.find(({ writeIndices }) => writeIndices.includes(index));
    if (rules === undefined || step?.removesRules !== true || step.writeIndices[0] === 0) {
      return [];
    }
    return getReliedOnRules(rules, index).filter(({ parsed }) => !step.columnKeys.has(parsed.columnKey));
  }

  /** Returns the rules that may restrict what a viewpoint with a data source shows. */
  #getRestricting(datasource: JsonObject): readonly RuleTimeline[] {
    const all = [...this.#rulesBySubject.values()];
    const mayRestrict = createRestrictionCheck(
      datasource,
      all.map(({ subject }) => subject),
    );
    return all.filter(({ subject }) => mayRestrict(subject));
  }

  /** Returns the columns with rules that the operation exposes. */
  getExposedColumns(): readonly (RuleColumn & { readonly subject: RuleSubject })[] {
    return [...this.#rulesBySubject.values()].flatMap((rules) =>
      getRulesAt(rules, this.#writes.length)
        .all.map(({ parsed }) => toColumn(parsed))
        .filter((column) => isExposed(rules, column, { end: this.#writes.length }))
        .map((column) => ({ subject: rules.subject, ...column })),
    );
  }
}

/** A rule of a datamodel or cube set. */
interface TimelineRule {
  readonly rules: RuleTimeline;
  readonly parsed: ParsedRuleDocument;
}

const toRequired = (
  { rules, parsed }: TimelineRule,
  exposedBy: Parameters<typeof isExposed>[2],
): RequiredRule => ({
  subject: rules.subject,
  parsed,
  isExposed: isExposed(rules, toColumn(parsed), exposedBy),
});

const getSubjectKey = (subject: RuleSubject): string => getRefKey({ kind: 'rules', subject });

/** Groups items that may belong to several groups. */
function groupByEach<Item, Key>(
  items: readonly Item[],
  getKeys: (item: Item) => readonly Key[],
): ReadonlyMap<Key, readonly Item[]> {
  const pairs = items.flatMap((item) => getKeys(item).map((key) => ({ key, item })));
  return new Map(
    [...Map.groupBy(pairs, ({ key }) => key)].map(([key, group]) => [key, group.map(({ item }) => item)]),
  );
}

const toColumn = ({ document }: ParsedRuleDocument): RuleColumn => ({
  table: getText(document['table']),
  column: getText(document['column']),
});

/** Returns the rules that an operation expects right before a write. */
const getRulesAt = ({ before, steps }: RuleTimeline, index: number): ExpectedRules =>
  steps.findLast(({ writeIndices }) => (writeIndices.at(-1) ?? 0) < index)?.after ?? before;

/**
 * Returns the rules that an operation has added or updated before a write, and those on the names that it has exposed.
 */
const getReliedOnRules = (rules: RuleTimeline, index: number): readonly TimelineRule[] =>
  getRulesAt(rules, index)
    .all.filter(({ parsed, isEdited }) => isEdited || isExposed(rules, toColumn(parsed), { end: index }))
    .map(({ parsed }) => ({ rules, parsed }));

/** Returns whether a write before another one exposes a column that rules are on. */
function isExposed(
  { effects }: RuleTimeline,
  column: RuleColumn,
  { end, isDone = () => true }: { readonly end: number; readonly isDone?: (index: number) => boolean },
): boolean {
  const exposes = ({ index, effect }: IndexedEffect): boolean =>
    index < end && isDone(index) && effect.mayExpose(column);
  return [column.table, undefined].some((table) => effects.get(table)?.some(exposes) === true);
}

/** Returns the writes that change rules: those that run as one change together, in order. */
function getRuleChanges(writes: readonly Write[]): readonly RuleWriteGroup[] {
  const deletionsByColumn = writes.flatMap((write, index): readonly RuleWriteGroup[] => {
    const subject = getWriteRuleSubject(write);
    const isDeletion = getRuleAction(write) === 'delete-many' && !isGroupedRuleWrite(write);
    return isDeletion && subject !== undefined ? [{ subject, writeIndices: [index] }] : [];
  });
  return [...getRuleWriteGroups(writes), ...deletionsByColumn].toSorted(
    (a, b) => (a.writeIndices[0] ?? 0) - (b.writeIndices[0] ?? 0),
  );
}
