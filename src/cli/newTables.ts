import type { JsonValue } from '../base/json.ts';
import { isCustomTable } from '../project/compare/compareContents.ts';
import { formatItemKey } from '../project/item.ts';
import { getTableAccess } from '../security/tableAccess.ts';
import { isAllValues, noValues } from '../security/valueSet.ts';
import { describeRules, readNamedRules } from './differences/ruleDifferences.ts';
import {
  type ComparedProject,
  type ItemsAfterApply,
  type RulesAfterApply,
  listItemsAfterApply,
} from './itemsAfterApply.ts';

/** A table that is created, with what restricts who sees its rows. */
export interface NewTable {
  readonly item: string;
  readonly restrictions: readonly Restriction[];
}

/** A rule on a column of a table, or the rules on linked tables. */
interface Restriction {
  readonly text: string;
  /** Whether another apply has to write it. */
  readonly isWaiting: boolean;
}

/**
 * Returns the tables that are created, with all rules that they will have, including those that the instance already
 * has, and those that another apply has to write. Rules on linked tables restrict a table, too: a new relation is written
 * in the same apply, and the table has rows only after a build.
 */
export function findNewTables(plan: ComparedProject): readonly NewTable[] {
  const { comparison, compiled } = plan.prepared;
  const newTables = comparison.changes.flatMap(({ action, key }) =>
    action === 'create' && key.kind === 'table' ? [key] : [],
  );
  if (newTables.length === 0) {
    return [];
  }
  const deferredItems = new Set(compiled.deferred.map(({ key }) => formatItemKey(key)));
  const now = new TableRules(listItemsAfterApply(plan, (item) => deferredItems.has(item)));
  const later = deferredItems.size === 0 ? now : new TableRules(listItemsAfterApply(plan, () => false));
  return newTables.map((key) => {
    const rulesNow = now.describe(key);
    const textsNow = new Set(rulesNow.map(({ text }) => text));
    return {
      item: formatItemKey(key),
      restrictions: [
        ...rulesNow.map(({ text, isKept }) => ({
          text: isKept ? `${text} (already on the instance)` : text,
          isWaiting: false,
        })),
        ...later
          .describe(key)
          .filter(({ text }) => !textsNow.has(text))
          .map(({ text }) => ({ text: `${text} (not in this apply)`, isWaiting: true })),
      ],
    };
  });
}

interface DescribedRules {
  readonly text: string;
  readonly isKept: boolean;
}

/** The rules on the tables of an instance, at one time. */
class TableRules {
  readonly #items: ItemsAfterApply;
  readonly #rulesByTable: ReadonlyMap<string, readonly RulesAfterApply[]>;
  readonly #linksByDatamodel = new Map<string, LinkedRules>();

  constructor(items: ItemsAfterApply) {
    this.#items = items;
    this.#rulesByTable = Map.groupBy(items.rules, ({ key }) => formatTableKey(key));
  }

  /** Describes the rules on a table; if it has none, those on linked tables that restrict it. */
  describe(key: { readonly datamodel: string; readonly table: string }): readonly DescribedRules[] {
    const ownRules = (this.#rulesByTable.get(formatTableKey(key)) ?? []).flatMap(
      ({ key: { column }, content, isKept }) =>
        describeRules(content).map((text) => ({ text: `${column}: ${text}`, isKept })),
    );
    if (ownRules.length > 0) {
      return ownRules;
    }
    const links = this.#linksByDatamodel.get(key.datamodel) ?? new LinkedRules(key.datamodel, this.#items);
    this.#linksByDatamodel.set(key.datamodel, links);
    const text = links.describe(key.table);
    return text === undefined ? [] : [{ text, isKept: false }];
  }
}

/** The maximum number of columns that the text for a table names. */
const maxColumns = 3;

/** The columns of a datamodel whose rules restrict linked tables. */
class LinkedRules {
  readonly #accessByTable: ReadonlyMap<string, ReturnType<typeof getTableAccess>[number]>;

  constructor(datamodel: string, { tables, relations, rules }: ItemsAfterApply) {
    const catalog = {
      complete: true,
      tables: tables
        .filter(({ key }) => key.datamodel === datamodel)
        .map(({ key, content, columns }) => ({
          name: key.table,
          columns: [...columns].map((name) => ({ name })),
          // A build creates the columns of a custom table.
          open: isCustomTable(content),
        })),
      relations: relations.filter((key) => key.datamodel === datamodel),
    };
    const restrictingColumns = rules
      .filter(({ key, content }) => key.datamodel === datamodel && restricts(content))
      .map(({ key: { table, column } }) => ({
        table,
        column,
        access: noValues,
        bounds: { atLeast: noValues, atMost: noValues },
        applied: [],
      }));
    this.#accessByTable = new Map(
      getTableAccess(restrictingColumns, catalog).map((access) => [access.table, access]),
    );
  }

  /** Describes the rules on other tables that restrict a table; `undefined` if there are none. */
  describe(table: string): string | undefined {
    const access = this.#accessByTable.get(table);
    const names = (access?.restrictions ?? []).flatMap(({ column, path }) =>
      path.length === 0 ? [] : [`${column.table}.${column.column}`],
    );
    const moreCount = names.length - maxColumns;
    const shownNames = names.slice(0, maxColumns).join(', ');
    return names.length === 0
      ? undefined
      : moreCount <= 0
        ? `rules on linked tables: ${shownNames}`
        : `rules on linked tables: ${shownNames}, and ${moreCount} more ${moreCount === 1 ? 'column' : 'columns'}`;
  }
}

/** Returns whether rules are certain to restrict someone. */
const restricts = (rules: JsonValue): boolean =>
  readNamedRules(rules).some(
    ({ grant, parties }) => grant !== 'unclear' && !isAllValues(grant) && parties.length > 0,
  );

export const formatTableKey = ({ datamodel, table }: { datamodel: string; table: string }): string =>
  formatItemKey({ kind: 'table', datamodel, table });
