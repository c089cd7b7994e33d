import type { JsonValue } from '../base/json.ts';
import { isCustomTable } from '../project/compare/compareContents.ts';
import { getColumnsByName } from '../project/compare/normalizeContent.ts';
import { type ItemKey, type ItemKind, formatItemKey } from '../project/item.ts';
import { type ColumnName, getTableAccess } from '../security/tableAccess.ts';
import { isAllValues, noValues } from '../security/valueSet.ts';
import { describeRule, readNamedRules } from './differences/ruleDifferences.ts';
import type { LoadedPlan } from './projectPlan.ts';

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

type ComparedProject = Pick<LoadedPlan, 'project' | 'prepared'>;

/**
 * Returns the tables that are created, with all rules that they will have, including those that the instance already
 * has, and those that another apply has to write. Rules on linked tables restrict a table, too: a new relation is written
 * in the same apply, and the table has rows only after a build.
 */
export function findNewTables({ project, prepared }: ComparedProject): readonly NewTable[] {
  const { comparison, compiled } = prepared;
  const newTables = comparison.changes.flatMap(({ action, key }) =>
    action === 'create' && key.kind === 'table' ? [key] : [],
  );
  if (newTables.length === 0) {
    return [];
  }
  const items = listItemsAfterwards({ project, prepared });
  const waitingKeys = new Set(compiled.deferred.map(({ key }) => formatItemKey(key)));
  const createdKeys = new Set(
    comparison.changes.flatMap(({ action, key }) => (action === 'create' ? [formatItemKey(key)] : [])),
  );
  // What is changed later is on the instance already.
  const isWaiting = ({ key }: ItemAfterwards): boolean =>
    createdKeys.has(formatItemKey(key)) && waitingKeys.has(formatItemKey(key));
  const rulesByTable = Map.groupBy(items.rules, ({ key }) => formatTableKey(key));
  const linksByDatamodel = new Map(
    [...new Set(newTables.map(({ datamodel }) => datamodel))].map((datamodel) => [
      datamodel,
      {
        now: new LinkedRules(datamodel, items, (item) => !isWaiting(item)),
        later: new LinkedRules(datamodel, items, () => true),
      },
    ]),
  );
  return newTables.map((key) => {
    const ownRules = (rulesByTable.get(formatTableKey(key)) ?? []).flatMap((rules) =>
      readNamedRules(rules.content).map((rule): Restriction => {
        const note = rules.isKept ? ' (already on the instance)' : isWaiting(rules) ? waitingNote : '';
        return { text: `${rules.key.column}: ${describeRule(rule)}${note}`, isWaiting: isWaiting(rules) };
      }),
    );
    if (ownRules.some((rule) => !rule.isWaiting)) {
      return { item: formatItemKey(key), restrictions: ownRules };
    }
    const links = linksByDatamodel.get(key.datamodel);
    const now = links?.now.describe(key.table);
    const later = links?.later.describe(key.table);
    return {
      item: formatItemKey(key),
      restrictions: [
        ...ownRules,
        ...(now !== undefined
          ? [{ text: now, isWaiting: false }]
          : later !== undefined && ownRules.length === 0
            ? [{ text: later + waitingNote, isWaiting: true }]
            : []),
      ],
    };
  });
}

const waitingNote = ' (not in this apply)';

interface ItemAfterwards<Key extends ItemKey = ItemKey> {
  readonly key: Key;
  readonly content: JsonValue;
  /** Whether only the instance has it. */
  readonly isKept: boolean;
}

type ItemsOf<Kind extends ItemKind> = readonly ItemAfterwards<Extract<ItemKey, { kind: Kind }>>[];

/** What an instance has once everything is applied, by the names of the project. */
interface ItemsAfterwards {
  readonly tables: ItemsOf<'table'>;
  readonly relations: ItemsOf<'relation'>;
  readonly rules: ItemsOf<'rules'>;
  /** The columns of tables of the project that only the instance has. */
  readonly extraColumns: readonly ColumnName[];
}

function listItemsAfterwards({
  project,
  prepared: { comparison, pulled },
}: ComparedProject): ItemsAfterwards {
  const toProjectKey = (key: ItemKey): ItemKey => comparison.renamer.toProjectKey(key);
  const list = <Kind extends ItemKind>(kind: Kind): ItemsOf<Kind> => {
    const hasKind = (key: ItemKey): key is Extract<ItemKey, { kind: Kind }> => key.kind === kind;
    const items = new Map<string, ItemsOf<Kind>[number]>();
    for (const { key, content } of pulled.items) {
      const projectKey = hasKind(key) ? toProjectKey(key) : key;
      if (hasKind(projectKey)) {
        items.set(formatItemKey(projectKey), { key: projectKey, content, isKept: true });
      }
    }
    for (const { action, key } of comparison.changes) {
      if (action === 'delete') {
        items.delete(formatItemKey(toProjectKey(key)));
      }
    }
    for (const { key, content } of project.items) {
      if (hasKind(key)) {
        items.set(formatItemKey(key), { key, content, isKept: false });
      }
    }
    return [...items.values()];
  };
  return {
    tables: list('table'),
    relations: list('relation'),
    rules: list('rules'),
    extraColumns: comparison.extras.flatMap(({ key, column }) => {
      const projectKey = toProjectKey(key);
      return column === undefined || projectKey.kind !== 'table'
        ? []
        : [{ table: formatTableKey(projectKey), column }];
    }),
  };
}

/** The maximum number of columns that the text for a table names. */
const maxColumns = 3;

/** The columns of a datamodel whose rules restrict linked tables. */
class LinkedRules {
  readonly #accessByTable: ReadonlyMap<string, ReturnType<typeof getTableAccess>[number]>;

  constructor(
    datamodel: string,
    { tables, relations, rules, extraColumns }: ItemsAfterwards,
    isInForce: (item: ItemAfterwards) => boolean,
  ) {
    const isIn = (item: ItemAfterwards): boolean =>
      'datamodel' in item.key && item.key.datamodel === datamodel;
    const catalog = {
      complete: true,
      tables: tables.filter(isIn).map(({ key, content }) => ({
        name: key.table,
        columns: [
          ...[...getColumnsByName(content).keys()].map((name) => ({ name })),
          ...extraColumns.flatMap(({ table, column }) =>
            table === formatTableKey(key) ? [{ name: column }] : [],
          ),
        ],
        // A build creates the columns of a custom table.
        open: isCustomTable(content),
      })),
      relations: relations
        .filter((relation) => isIn(relation) && isInForce(relation))
        .map(({ key: { columns } }) => ({ columns })),
    };
    const restrictingColumns = rules
      .filter((item) => isIn(item) && isInForce(item) && restricts(item.content))
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
