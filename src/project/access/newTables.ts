import type { Localize } from '../../base/localize.ts';
import { type ItemKey, formatItemKey } from '../item.ts';
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
import { describeRules, readNamedRules } from './namedRules.ts';
import {
  type ComparedProject,
  type ItemsAfterApply,
  type RulesAfterApply,
  type TableAfterApply,
  listItemsAfterApply,
} from './itemsAfterApply.ts';

/** A table that is created, with what restricts who sees its rows. */
export interface CreatedTable {
  readonly key: Extract<ItemKey, { kind: 'table' }>;
  readonly restrictions: readonly Restriction[];
  /** Whom the rules restrict that this apply writes, or that the instance already has. */
  readonly effect: RuleEffect;
}

/** A rule on a column of a table, or the rules on linked tables. */
interface Restriction {
  readonly text: string;
  /** Whether a later apply has to write it. */
  readonly isDeferred: boolean;
}

/**
 * Returns the tables that are created, with all rules that they will have, including those that the instance already
 * has, and those that a later apply has to write. Rules on linked tables restrict a table, too: new relations are
 * written in the same apply, before a build fills the table with rows.
 */
export function findNewTables(plan: ComparedProject, t: Localize): readonly CreatedTable[] {
  const { comparison, compiled } = plan.prepared;
  const newTables = comparison.changes.flatMap(({ action, key }) =>
    action === 'create' && key.kind === 'table' ? [key] : [],
  );
  if (newTables.length === 0) {
    return [];
  }
  const unknownTitles = new Set(
    plan.prepared.notCompared.flatMap((key) => (key.kind === 'rules' ? [key.datamodel] : [])),
  );
  const afterThisApply = new TableRules(listItemsAfterApply(plan, createDeferralCheck(plan.prepared)), t);
  const afterAllApplies =
    compiled.deferred.length === 0
      ? afterThisApply
      : new TableRules(
          listItemsAfterApply(plan, () => false),
          t,
        );
  return newTables.map((key) => {
    const { rules, effect } = afterThisApply.describe(key);
    const texts = new Set(rules.map(({ text }) => text));
    const hasUnknownRules = unknownTitles.has(key.datamodel);
    return {
      key,
      restrictions: [
        ...(hasUnknownRules ? [{ text: t("rules that couldn't be compared"), isDeferred: false }] : []),
        ...rules.map(({ text, isKept = false }) => ({
          text: isKept ? t('{0} (already on the instance)', text) : text,
          isDeferred: false,
        })),
        ...afterAllApplies
          .describe(key)
          .rules.filter(({ text }) => !texts.has(text))
          .map(({ text }) => ({ text: t('{0} (not in this apply)', text), isDeferred: true })),
      ],
      effect: hasUnknownRules ? joinEffects([effect, uncertainEffect]) : effect,
    };
  });
}

interface DescribedRules {
  readonly rules: readonly { readonly text: string; readonly isKept?: boolean }[];
  readonly effect: RuleEffect;
}

/** The rules on the tables of an instance, either after this apply or after all applies. */
class TableRules {
  readonly #t: Localize;
  readonly #items: ItemsAfterApply;
  readonly #tables: ReadonlyMap<string, TableAfterApply>;
  readonly #rulesByTable: ReadonlyMap<string, readonly RulesAfterApply[]>;
  readonly #linkedRulesByDatamodel = new Map<string, LinkedRules>();

  constructor(items: ItemsAfterApply, t: Localize) {
    this.#t = t;
    this.#items = items;
    this.#tables = new Map(items.tables.map((table) => [formatItemKey(table.key), table]));
    this.#rulesByTable = Map.groupBy(items.rules, ({ key }) => formatTableKey(key));
  }

  /**
   * Describes the rules on a table. If these don't restrict everyone else, those on linked tables that restrict it are
   * described, too.
   */
  describe(key: { readonly datamodel: string; readonly table: string }): DescribedRules {
    const ownRules = (this.#rulesByTable.get(formatTableKey(key)) ?? []).flatMap((rules) => {
      const effect = this.#getEffect(rules);
      return effect === undefined ? [] : [{ ...rules, effect }];
    });
    const own = {
      rules: ownRules.flatMap(({ key: { column }, content, isKept }) =>
        describeRules(content, this.#t).map((text) => ({ text: `${column}: ${text}`, isKept })),
      ),
      effect: joinEffects(ownRules.map(({ effect }) => effect)),
    };
    if (own.effect.restrictsEveryoneElse) {
      return own;
    }
    const linked = this.#getLinkedRules(key.datamodel).describe(key.table);
    return {
      rules: [...own.rules, ...linked.rules],
      effect: joinEffects([own.effect, linked.effect]),
    };
  }

  #getLinkedRules(datamodel: string): LinkedRules {
    const linkedRules =
      this.#linkedRulesByDatamodel.get(datamodel) ??
      new LinkedRules(datamodel, this.#items, { getEffect: (rules) => this.#getEffect(rules), t: this.#t });
    this.#linkedRulesByDatamodel.set(datamodel, linkedRules);
    return linkedRules;
  }

  /** Returns whom rules restrict; `undefined` if their column doesn't exist (platform-facts.md, 3.1). */
  #getEffect({ key, content }: RulesAfterApply): RuleEffect | undefined {
    const table = this.#tables.get(formatTableKey(key));
    return table?.columns.has(key.column) === true
      ? getRuleEffect(readNamedRules(content, this.#t))
      : table?.mayHaveMoreColumns === true
        ? uncertainEffect
        : undefined;
  }
}

/** The maximum number of columns that the text for a table names. */
const maxColumns = 3;

/** The columns of a datamodel whose rules restrict linked tables, or might do so. */
class LinkedRules {
  readonly #t: Localize;
  readonly #effects = new Map<ColumnAccessResult, RuleEffect>();
  readonly #accessByTable: ReadonlyMap<string, TableAccess>;

  constructor(
    datamodel: string,
    { tables, relations, rules }: ItemsAfterApply,
    {
      getEffect,
      t,
    }: { readonly getEffect: (rules: RulesAfterApply) => RuleEffect | undefined; readonly t: Localize },
  ) {
    this.#t = t;
    for (const item of rules) {
      const effect = item.key.datamodel === datamodel ? getEffect(item) : undefined;
      if (effect !== undefined && (restrictsAnyone(effect) || effect.isUncertain)) {
        const { table, column } = item.key;
        const bounds = { atLeast: noValues, atMost: noValues };
        this.#effects.set({ table, column, access: noValues, bounds, applied: [] }, effect);
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

  /** Describes the rules on other tables that restrict a table. */
  describe(table: string): DescribedRules {
    const columns = (this.#accessByTable.get(table)?.restrictions ?? []).flatMap(({ column }) =>
      // Doesn't use the paths of the relations: in a large datamodel, they take long to compute.
      column.table === table ? [] : [{ column, effect: this.#effects.get(column) ?? noEffect }],
    );
    const restricting = columns.filter(({ effect }) => restrictsAnyone(effect));
    const text =
      restricting.length > 0
        ? this.#t('rules on linked tables: {0}', formatColumns(restricting, this.#t))
        : this.#t('rules on linked tables that might restrict it: {0}', formatColumns(columns, this.#t));
    return {
      rules: columns.length === 0 ? [] : [{ text }],
      effect: joinEffects(columns.map(({ effect }) => effect)),
    };
  }
}

function formatColumns(columns: readonly { readonly column: ColumnName }[], t: Localize): string {
  const names = columns
    .slice(0, maxColumns)
    .map(({ column: { table, column } }) => `${table}.${column}`)
    .join(', ');
  const moreCount = columns.length - maxColumns;
  return moreCount <= 0
    ? names
    : moreCount === 1
      ? t('{0}, and 1 more column', names)
      : t('{0}, and {1} more columns', names, moreCount);
}

/** Returns the text of the key of the table that something belongs to. */
export const formatTableKey = ({ datamodel, table }: { datamodel: string; table: string }): string =>
  formatItemKey({ kind: 'table', datamodel, table });
