import type { JsonValue } from '../../base/json.ts';
import type { PartChange } from '../compare/itemChange.ts';
import { isCustomTable } from '../compare/compareContents.ts';
import { getColumnsByName } from '../compare/normalizeContent.ts';
import { getRootMemberName } from '../compare/parts.ts';
import { type ItemKey, type ItemKind, formatItemKey } from '../item.ts';
import { indexItemsByProjectKey } from '../plan/compareProject.ts';
import type { DeferralCheck } from '../apply/deferredItems.ts';
import type { ProjectPlan } from '../apply/loadProjectPlan.ts';

/** A project compared with an instance. */
export type ComparedProject = Pick<ProjectPlan, 'project' | 'prepared' | 'reading' | 'limits'>;

type KeyOf<Kind extends ItemKind> = Extract<ItemKey, { kind: Kind }>;

/** What an instance has after an apply, under the names that the project uses. */
export interface ItemsAfterApply {
  readonly tables: readonly TableAfterApply[];
  readonly relations: readonly KeyOf<'relation'>[];
  readonly rules: readonly RulesAfterApply[];
}

export interface TableAfterApply {
  readonly key: KeyOf<'table'>;
  /** The names of its columns, also of those that only the instance has. */
  readonly columns: ReadonlySet<string>;
  /** Whether SQL may generate further columns, which are known only after a build. */
  readonly mayHaveMoreColumns: boolean;
}

export interface RulesAfterApply {
  readonly key: KeyOf<'rules'>;
  readonly content: JsonValue;
  /** Whether the instance keeps its own rules: the project has none here, or a later apply has to change them. */
  readonly isKept: boolean;
}

/**
 * Returns what the instance has after an apply: what it has now, with the changes that are applied. What can't be
 * changed, such as what couldn't be read, stays as it is.
 * @param isDeferred returns whether a later apply has to make a change
 */
export function listItemsAfterApply(
  { project, prepared: { comparison, pulled } }: Pick<ComparedProject, 'project' | 'prepared'>,
  isDeferred: DeferralCheck,
): ItemsAfterApply {
  const { renamer } = comparison;
  const contents = new Map(project.items.map(({ key, content }) => [formatItemKey(key), content]));
  const tablesWithNewSql = new Set(
    comparison.changes.flatMap((change) =>
      change.key.kind === 'tableExpression' && !isDeferred(change)
        ? [formatItemKey({ ...change.key, kind: 'table' })]
        : [],
    ),
  );
  const tables = new Map<string, TableAfterApply>();
  const relations = new Map<string, KeyOf<'relation'>>();
  const rules = new Map<string, RulesAfterApply>();
  for (const [item, { key: instanceKey, content }] of indexItemsByProjectKey(pulled.items, renamer)) {
    const key = renamer.toProjectKey(instanceKey);
    if (key.kind === 'table' && instanceKey.kind === 'table') {
      const { datamodel, table } = instanceKey;
      const isCustom = isCustomTable(content);
      const hasNewSql = isCustom && tablesWithNewSql.has(item);
      const columns = hasNewSql
        ? // The file lists the columns that the new SQL generates.
          getColumnNames(contents.get(item))
        : getColumnNames(content).map((name) => renamer.toProjectColumn(datamodel, table, name));
      const mayHaveMoreColumns = isCustom && (hasNewSql || columns.length === 0);
      tables.set(item, { key, columns: new Set(columns), mayHaveMoreColumns: mayHaveMoreColumns });
    } else if (key.kind === 'relation') {
      relations.set(item, key);
    } else if (key.kind === 'rules') {
      rules.set(item, { key, content, isKept: !contents.has(item) });
    }
  }
  for (const change of comparison.changes) {
    const key = change.action === 'delete' ? renamer.toProjectKey(change.key) : change.key;
    const item = formatItemKey(key);
    const content = contents.get(item) ?? null;
    const isChangeDeferred = isDeferred(change);
    if (key.kind === 'table' && change.action !== 'delete') {
      const current = tables.get(item) ?? {
        columns: new Set(getColumnNames(content)),
        mayHaveMoreColumns: isCustomTable(content),
      };
      tables.set(item, {
        ...current,
        key,
        columns: changeColumns(current.columns, change.parts, isChangeDeferred),
      });
    } else if (isChangeDeferred) {
      const current = rules.get(item);
      if (current !== undefined) {
        rules.set(item, { ...current, isKept: true });
      }
    } else if (change.action === 'delete') {
      tables.delete(item);
      relations.delete(item);
      rules.delete(item);
    } else if (key.kind === 'relation') {
      relations.set(item, key);
    } else if (key.kind === 'rules') {
      rules.set(item, { key, content, isKept: false });
    }
  }
  return { tables: [...tables.values()], relations: [...relations.values()], rules: [...rules.values()] };
}

const getColumnNames = (content: JsonValue | undefined): readonly string[] => [
  ...getColumnsByName(content).keys(),
];

function changeColumns(
  current: ReadonlySet<string>,
  parts: readonly PartChange[],
  keepsColumns: boolean,
): ReadonlySet<string> {
  const columns = new Set(current);
  for (const { pointer, after } of parts) {
    if (pointer.startsWith(columnPrefix)) {
      const name = getRootMemberName(pointer.slice(columnPrefix.length - 1));
      if (after !== undefined) {
        columns.add(name);
      } else if (!keepsColumns) {
        columns.delete(name);
      }
    }
  }
  return columns;
}

const columnPrefix = '/columns/';
