import type { JsonValue } from '../../base/json.ts';
import type { Localize } from '../../base/localize.ts';
import type { ColumnAccessResult } from '../../security/effectiveAccess.ts';
import {
  type RuleEffect,
  getRuleEffect,
  restrictsAnyone,
  joinEffects,
  noEffect,
  uncertainEffect,
} from '../../security/ruleEffect.ts';
import { type ColumnName, type TableAccess, getTableAccess } from '../../security/tableAccess.ts';
import { noValues } from '../../security/valueSet.ts';
import { createDeferralCheck } from '../apply/deferredItems.ts';
import { createUnreadRulesCheck } from '../apply/unreadFiles.ts';
import { type ItemKey, formatItemKey } from '../item.ts';
import {
  type ComparedProject,
  type ItemsAfterApply,
  type RulesAfterApply,
  type TableAfterApply,
  listItemsAfterApply,
} from './itemsAfterApply.ts';
import { describeRules, readNamedRules } from './namedRules.ts';

/** What restricts who sees the rows of a table. */
export interface TableRestrictions {
  readonly restrictions: readonly Restriction[];
  /** The effect of the rules that this apply writes or that the instance already has: whom they restrict. */
  readonly effect: RuleEffect;
}

/** A rule on a column of a table, or the rules on linked tables. */
interface Restriction {
  readonly text: string;
  /** Whether a later apply has to write it. */
  readonly isDeferred: boolean;
}

/** The key of a table in the project. */
export type TableKey = Extract<ItemKey, { kind: 'table' }>;

/** Returns the text of the key of the table that something belongs to. */
export const formatTableKey = ({ datamodel, table }: { datamodel: string; table: string }): string =>
  formatItemKey({ kind: 'table', datamodel, table });

/**
 * Returns a function that describes all rules that restrict a table, including those that the instance already has, and
 * those that a later apply has to write. If the rules on the table itself don't restrict everyone else, those on linked
 * tables that restrict it are described, too: new relations are written in the same apply, before a build fills tables
 * with rows.
 */
export function createRestrictionReader(
  plan: ComparedProject,
  t: Localize,
): (key: TableKey) => TableRestrictions {
  const { uncomparedItems, compiled } = plan.prepared;
  const unknownTitles = new Set(
    uncomparedItems.flatMap((key) => (key.kind === 'rules' ? [key.datamodel] : [])),
  );
  const mayHaveUnreadRules = createUnreadRulesCheck(plan);
  const effects = new Map<JsonValue, RuleEffect>();
  const now = new TableRules(listItemsAfterApply(plan, createDeferralCheck(plan.prepared)), effects, t);
  const later =
    compiled.deferred.length === 0
      ? undefined
      : new TableRules(
          listItemsAfterApply(plan, () => false),
          effects,
          t,
        );
  return (key) => {
    const rulesNow = now.read(key);
    const hasUnknownRules = unknownTitles.has(key.datamodel) || mayHaveUnreadRules(key.datamodel);
    const texts = [
      ...(hasUnknownRules ? [t("rules that couldn't be compared")] : []),
      ...rulesNow.own.map(({ text, isKept }) => (isKept ? t('{0} (already on the instance)', text) : text)),
      ...describeLinkedRules(rulesNow.linked, t),
    ];
    const laterTexts = later === undefined ? [] : describeLaterRules(key, rulesNow, { now, later, t });
    return {
      restrictions: [
        ...texts.map((text) => ({ text, isDeferred: false })),
        ...laterTexts.map((text) => ({ text: t('{0} (not in this apply)', text), isDeferred: true })),
      ],
      effect: hasUnknownRules ? joinEffects([rulesNow.effect, uncertainEffect]) : rulesNow.effect,
    };
  };
}

/** Describes the rules that restrict a table only after a later apply. */
function describeLaterRules(
  key: TableKey,
  rulesNow: RulesOfTable,
  { now, later, t }: { readonly now: TableRules; readonly later: TableRules; readonly t: Localize },
): readonly string[] {
  const { own, linked } = later.read(key);
  const texts = new Set(rulesNow.own.map(({ text }) => text));
  return [
    ...own.flatMap(({ text }) => (texts.has(text) ? [] : [text])),
    ...describeLinkedRules(linked && omitColumns(linked, now.readLinked(key)), t),
  ];
}

/** The rules on a table. */
interface RulesOfTable {
  readonly own: readonly { readonly text: string; readonly isKept: boolean }[];
  /**
   * The columns of linked tables whose rules restrict the table; `undefined` if its own rules already restrict everyone
   * else.
   */
  readonly linked?: LinkedColumns;
  readonly effect: RuleEffect;
}

/** The columns of linked tables whose rules restrict a table, and those whose rules might do so. */
interface LinkedColumns {
  readonly restricting: readonly ColumnName[];
  readonly uncertain: readonly ColumnName[];
}

const noColumns: LinkedColumns = { restricting: [], uncertain: [] };

const toKey = ({ table, column }: ColumnName): string => JSON.stringify([table, column]);

/** Leaves out the columns that `others` has with the same effect or a more certain one. */
function omitColumns({ restricting, uncertain }: LinkedColumns, others: LinkedColumns): LinkedColumns {
  const omit = (columns: readonly ColumnName[], omitted: readonly ColumnName[]): readonly ColumnName[] => {
    const keys = new Set(omitted.map(toKey));
    return columns.filter((column) => !keys.has(toKey(column)));
  };
  return {
    restricting: omit(restricting, others.restricting),
    uncertain: omit(uncertain, [...others.restricting, ...others.uncertain]),
  };
}

const describeLinkedRules = (
  { restricting, uncertain }: LinkedColumns = noColumns,
  t: Localize,
): readonly string[] => [
  ...(restricting.length === 0 ? [] : [t('rules on linked tables: {0}', formatColumns(restricting, t))]),
  ...(uncertain.length === 0
    ? []
    : [t('rules on linked tables that might restrict it: {0}', formatColumns(uncertain, t))]),
];

/** The maximum number of columns that the text for a table names. */
const maxColumns = 3;

function formatColumns(columns: readonly ColumnName[], t: Localize): string {
  const names = columns
    .slice(0, maxColumns)
    .map(({ table, column }) => `${table}.${column}`)
    .join(', ');
  const moreCount = columns.length - maxColumns;
  return moreCount <= 0
    ? names
    : moreCount === 1
      ? t('{0}, and 1 more column', names)
      : t('{0}, and {1} more columns', names, moreCount);
}

/** The rules on the tables of an instance, either after this apply or after all applies. */
class TableRules {
  readonly #t: Localize;
  readonly #items: ItemsAfterApply;
  readonly #effects: Map<JsonValue, RuleEffect>;
  readonly #tables: ReadonlyMap<string, TableAfterApply>;
  readonly #rulesByTable: ReadonlyMap<string, readonly RulesAfterApply[]>;
  readonly #linkedRulesByDatamodel = new Map<string, LinkedRules>();

  /** @param effects the effects of rules that are known already, by the content of their file */
  constructor(items: ItemsAfterApply, effects: Map<JsonValue, RuleEffect>, t: Localize) {
    this.#t = t;
    this.#items = items;
    this.#effects = effects;
    this.#tables = new Map(items.tables.map((table) => [formatItemKey(table.key), table]));
    this.#rulesByTable = Map.groupBy(items.rules, ({ key }) => formatTableKey(key));
  }

  read(key: TableKey): RulesOfTable {
    const ownRules = (this.#rulesByTable.get(formatTableKey(key)) ?? []).flatMap((rules) => {
      const effect = this.#getEffect(rules);
      return effect === undefined ? [] : [{ ...rules, effect }];
    });
    const own = ownRules.flatMap(({ key: { column }, content, isKept }) =>
      describeRules(content, this.#t).map((text) => ({ text: `${column}: ${text}`, isKept })),
    );
    const ownEffect = joinEffects(ownRules.map(({ effect }) => effect));
    if (ownEffect.restrictsEveryoneElse) {
      return { own, effect: ownEffect };
    }
    const linked = this.readLinked(key);
    return { own, linked, effect: joinEffects([ownEffect, linked.effect]) };
  }

  /** Finds the columns of other tables whose rules restrict a table, or might do so. */
  readLinked({ datamodel, table }: TableKey): LinkedColumns & { readonly effect: RuleEffect } {
    const linkedRules =
      this.#linkedRulesByDatamodel.get(datamodel) ??
      new LinkedRules(datamodel, this.#items, (rules) => this.#getEffect(rules));
    this.#linkedRulesByDatamodel.set(datamodel, linkedRules);
    return linkedRules.read(table);
  }

  /** Returns whom rules restrict; `undefined` if their column doesn't exist (platform-facts.md, 3.1). */
  #getEffect({ key, content }: RulesAfterApply): RuleEffect | undefined {
    const table = this.#tables.get(formatTableKey(key));
    if (table?.columns.has(key.column) !== true) {
      return table?.mayHaveMoreColumns === true ? uncertainEffect : undefined;
    }
    const effect = this.#effects.get(content) ?? getRuleEffect(readNamedRules(content, this.#t));
    this.#effects.set(content, effect);
    return effect;
  }
}

/** The columns of a datamodel whose rules restrict linked tables, or might do so. */
class LinkedRules {
  readonly #effects = new Map<ColumnAccessResult, RuleEffect>();
  readonly #accessByTable: ReadonlyMap<string, TableAccess>;

  constructor(
    datamodel: string,
    { tables, relations, rules }: ItemsAfterApply,
    getEffect: (rules: RulesAfterApply) => RuleEffect | undefined,
  ) {
    for (const item of rules) {
      const effect = item.key.datamodel === datamodel ? getEffect(item) : undefined;
      if (effect !== undefined && (restrictsAnyone(effect) || effect.isUncertain)) {
        const { table, column } = item.key;
        // Which values the rules allow doesn't matter here: the access stands for any restriction.
        const bounds = { atLeast: noValues, atMost: noValues };
        this.#effects.set({ table, column, access: noValues, bounds, appliedRules: [] }, effect);
      }
    }
    const catalog = {
      // Rules on columns that don't exist are left out already.
      complete: false,
      tables: tables
        .filter(({ key }) => key.datamodel === datamodel)
        .map(({ key }) => ({ name: key.table, columns: [] })),
      relations: relations.filter((key) => key.datamodel === datamodel),
    };
    this.#accessByTable = new Map(
      getTableAccess([...this.#effects.keys()], catalog).map((access) => [access.table, access]),
    );
  }

  read(table: string): LinkedColumns & { readonly effect: RuleEffect } {
    // Doesn't use the paths of the relations: in a large datamodel, they take long to compute.
    const columns = (this.#accessByTable.get(table)?.restrictions ?? [])
      .map(({ column }) => column)
      .filter((column) => column.table !== table);
    const getEffect = (column: ColumnAccessResult): RuleEffect => this.#effects.get(column) ?? noEffect;
    return {
      restricting: columns.filter((column) => restrictsAnyone(getEffect(column))),
      uncertain: columns.filter((column) => !restrictsAnyone(getEffect(column))),
      effect: joinEffects(columns.map(getEffect)),
    };
  }
}
