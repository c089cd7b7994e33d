import { toCanonicalText } from '../../base/canonicalJson.ts';
import { type JsonValue, getMember } from '../../base/json.ts';
import {
  asObject,
  getObjects,
  getText,
  hasColumnSettings,
  omitMembers,
} from '../../changes/model/jsonMembers.ts';
import { isCustomTable } from '../compare/compareContents.ts';
import type { DeletedItem, ItemChange, PartChange, ServerChangeState } from '../compare/itemChange.ts';
import { normalizeContent } from '../compare/normalizeContent.ts';
import { type PartHashes, appendToken } from '../compare/parts.ts';
import { type ItemKey, type ProjectItem, formatItemKey, getOwnerKeys } from '../item.ts';
import type { LockEntry } from '../pull/lock.ts';
import { equalsBase } from '../pull/mergeItem.ts';

/** The state of what was never pulled. */
export const neverPulled: ServerChangeState = { isChangedOnServer: true, isNeverPulled: true };

/** Creates the deletions of items that only an instance has, with everything that the instance deletes with them. */
export class DeletionFactory {
  readonly #items: readonly ProjectItem[];
  readonly #getLockEntry: (key: ItemKey) => LockEntry | undefined;
  /** The items of the instance by the texts of the keys of their owners. */
  #itemsByOwner: ReadonlyMap<string, readonly ProjectItem[]> | undefined;

  /**
   * @param items all items of the instance
   * @param getLockEntry returns the entry of an item in the lock
   */
  constructor(items: readonly ProjectItem[], getLockEntry: (key: ItemKey) => LockEntry | undefined) {
    this.#items = items;
    this.#getLockEntry = getLockEntry;
  }

  /** Creates the deletion of an item, with everything that belongs to it. */
  createDeletion({ key, content }: ProjectItem): ItemChange {
    const deletion: ItemChange = {
      action: 'delete',
      key,
      parts: [{ pointer: '', before: normalizeContent(key, content) }],
      ...this.#getServerState({ key, content }),
    };
    return addDeletedItems(deletion, this.#findItemsOwnedBy(key).map(this.#toDeletedItem));
  }

  /**
   * Creates the deletion of a relation. A relation that has lost a column is not among the items. It links nothing, so
   * it doesn't count as changed by others.
   */
  createRelationDeletion(key: ItemKey): ItemChange {
    const item = this.#items.find((other) => formatItemKey(other.key) === formatItemKey(key));
    return item === undefined
      ? {
          action: 'delete',
          key,
          parts: [
            {
              pointer: '',
              before: 'columns' in key ? { columns: key.columns.map((end) => ({ ...end })) } : null,
            },
          ],
          isChangedOnServer: false,
        }
      : this.createDeletion(item);
  }

  /**
   * Adds the SQL of deleted columns to a change, because SQL is an item of its own.
   * @param table the key of the table on the instance
   */
  addDeletedSql(change: ItemChange, table: ItemKey): ItemChange {
    const columns = new Set(change.parts.filter(isDeletedColumn).map(({ before }) => readName(before)));
    const sql = this.#findItemsOwnedBy(table).filter(
      ({ key }) => key.kind === 'columnExpression' && columns.has(key.column),
    );
    return addDeletedItems(change, sql.map(this.#toDeletedItem));
  }

  /**
   * Adds the rules that the instance already has on the new name of a renamed column, because the change replaces them.
   * Rules that an abandoned apply has written are not added: they are among the current rules of the column or those of
   * the project, so the change already shows them.
   */
  addReplacedRules(change: ItemChange): ItemChange {
    const { key, from, parts } = change;
    const replaced =
      key.kind !== 'rules' || from === undefined
        ? undefined
        : this.#items.find((item) => formatItemKey(item.key) === formatItemKey(key));
    if (replaced === undefined) {
      return change;
    }
    const shown = new Set(
      parts
        .flatMap(({ before, after }) => [before, after])
        .flatMap((rules) => formatRulesWithoutColumn(key, rules)),
    );
    return formatRulesWithoutColumn(key, replaced.content).every((rule) => shown.has(rule))
      ? change
      : addDeletedItems(change, [this.#toDeletedItem(replaced)]);
  }

  readonly #toDeletedItem = (item: ProjectItem): DeletedItem => ({ ...item, ...this.#getServerState(item) });

  #getServerState({ key, content }: ProjectItem): ServerChangeState {
    const entry = this.#getLockEntry(key);
    return entry === undefined
      ? neverPulled
      : {
          isChangedOnServer: !equalsBase(key, omitBuiltColumns({ key, content }, entry.parts), entry.parts),
        };
  }

  #findItemsOwnedBy(key: ItemKey): readonly ProjectItem[] {
    this.#itemsByOwner ??= groupByOwner(this.#items);
    return this.#itemsByOwner.get(formatItemKey(key)) ?? [];
  }
}

/** Returns a function that returns whether a relation of the instance links a table or column that changes delete. */
export function createLossCheck(changes: readonly ItemChange[]): (key: ItemKey) => boolean {
  const deleted = new Set(
    changes.flatMap(({ action, key, from = key, parts }) =>
      from.kind !== 'table'
        ? []
        : action === 'delete'
          ? [JSON.stringify([from.datamodel, from.table])]
          : parts
              .filter(isDeletedColumn)
              .map(({ before }) => JSON.stringify([from.datamodel, from.table, readName(before)])),
    ),
  );
  return (key) =>
    key.kind === 'relation' &&
    key.columns.some(({ table, column }) =>
      [[table], [table, column]].some((names) => deleted.has(JSON.stringify([key.datamodel, ...names]))),
    );
}

/**
 * Returns whether a build has added a column to a custom table since the last pull: the pull has not recorded the
 * column, and the column has no settings, which only people add.
 */
export const isBuiltColumn = (pointer: string, column: JsonValue | undefined, base: PartHashes): boolean =>
  pointer.startsWith('/columns/') && !base.has(pointer) && !hasColumnSettings(asObject(column));

/**
 * Returns the content of an item, and of a custom table without the columns that a build has added since the last pull.
 */
const omitBuiltColumns = ({ key, content }: ProjectItem, base: PartHashes): JsonValue =>
  key.kind === 'table' && isCustomTable(content)
    ? {
        ...asObject(content),
        columns: getObjects(getMember(content, 'columns')).filter(
          (column) => !isBuiltColumn(appendToken('/columns', readName(column)), column, base),
        ),
      }
    : content;

/**
 * Adds items that are deleted with a change. If one of them has changed on the server, the change counts as changed,
 * too.
 */
const addDeletedItems = (change: ItemChange, deletedWith: readonly DeletedItem[]): ItemChange =>
  deletedWith.length === 0
    ? change
    : {
        ...change,
        isChangedOnServer: change.isChangedOnServer || deletedWith.some((item) => item.isChangedOnServer),
        deletedWith,
      };

function groupByOwner(items: readonly ProjectItem[]): ReadonlyMap<string, readonly ProjectItem[]> {
  const groups = new Map<string, ProjectItem[]>();
  for (const item of items) {
    for (const owner of getOwnerKeys(item.key).map(formatItemKey)) {
      const group = groups.get(owner);
      if (group === undefined) {
        groups.set(owner, [item]);
      } else {
        group.push(item);
      }
    }
  }
  return groups;
}

/** Returns texts that are equal for the same rules on different columns. */
const formatRulesWithoutColumn = (key: ItemKey, rules: JsonValue = []): readonly string[] =>
  getObjects(rules).map((rule) =>
    toCanonicalText(normalizeContent(key, [omitMembers(rule, 'table', 'column')])),
  );

const isDeletedColumn = ({ pointer, after }: PartChange): boolean =>
  pointer.startsWith('/columns/') && after === undefined;

const readName = (column: JsonValue | undefined): string => getText(getMember(column, 'name'));
