import { isTableUpdate } from '../../model/tableWrites.ts';
import { type JsonObject, stringify } from '../../../base/json.ts';
import { datamodelSchema } from '../../../contract/datamodel.ts';
import type { Operation, Write } from '../../model/operation.ts';
import { shiftOutputRefs } from '../../model/outputRefs.ts';
import { ModelIndex } from '../../model/modelIndex.ts';
import { type RenameReference, createRenameWrites, getAllTables } from './renameOperation.ts';
import type { Rename } from '../../model/tableRenames.ts';
import { isNamedOutput, applyRename, type RenameState } from './renameState.ts';
import { renameSavedTable } from './renameSavedTable.ts';

/**
 * The reason why a rename is rejected. `gone`: the table or column no longer exists; `star`: the query of the custom
 * table selects the column with `*`, so its name can't be changed in the query.
 */
export type RenameProblem = 'empty' | 'same' | 'taken' | 'gone' | 'star';

/** Returns the reason to reject a rename, if any. Names are compared case-insensitively, as in SQL. */
export function getRenameProblem(model: JsonObject, rename: Rename): RenameProblem | undefined {
  const index = new ModelIndex(datamodelSchema.parse(model));
  const table = index.getTable(rename.tableId);
  const column = rename.columnId === undefined ? undefined : index.getColumn(rename.tableId, rename.columnId);
  if (table === undefined || (rename.columnId !== undefined && column === undefined)) {
    return 'gone';
  }
  if (rename.newName.trim() === '') {
    return 'empty';
  }
  const target = column ?? table;
  if (target.name === rename.newName) {
    return 'same';
  }
  const others = (column === undefined ? index.tables : table.columns).filter(({ id }) => id !== target.id);
  if (others.some(({ name }) => name.toLowerCase() === rename.newName.toLowerCase())) {
    return 'taken';
  }
  const isGenerated = column !== undefined && table.table.type === 'custom' && !column.column.isCustom;
  return isGenerated && !isNamedOutput(index, rename) ? 'star' : undefined;
}

/** The operation of a rename, and the references that it updates, which the user may exclude. */
export interface RenamePlan {
  readonly operation: Operation;
  readonly references: readonly RenameReference[];
}

/**
 * Creates the operation that renames a table or column everywhere: first in the table itself, then in every SQL
 * expression, rule and viewpoint that uses the name. Relations and accumulations use oids and need no change.
 * @param options `excludedKeys`: keys of the references that keep the old name, as chosen by the user
 */
export function planRename(
  state: RenameState,
  rename: Rename,
  options: { readonly connectionId: string; readonly excludedKeys?: ReadonlySet<string> },
): RenamePlan {
  const index = new ModelIndex(datamodelSchema.parse(state.model));
  const table = index.getTable(rename.tableId);
  const column = rename.columnId === undefined ? undefined : index.getColumn(rename.tableId, rename.columnId);
  const { references, writes } = createRenameWrites(state, applyRename(state, rename), {
    renamedTableIds: new Set([rename.tableId]),
    excludedKeys: options.excludedKeys ?? new Set(),
  });
  const target = table && { table, ...(column === undefined ? {} : { column }) };
  return {
    references,
    operation: {
      connectionId: options.connectionId,
      cause: 'rename',
      subject: {
        name: (column ?? table)?.name ?? '',
        within: target === undefined ? [] : index.getContainerNames(target),
      },
      writes,
    },
  };
}

/**
 * Plans a save that renames tables or columns: sends the payload of the save first and unchanged, then updates
 * everything that uses the old names.
 */
export function planSavedRenames(
  state: RenameState,
  operation: Operation,
  options: { readonly renames: readonly Rename[]; readonly excludedKeys?: ReadonlySet<string> },
): RenamePlan {
  const after = orderRenames(state, options.renames).reduce(applyRename, state);
  const tableIds = new Set(options.renames.map(({ tableId }) => tableId));
  const { references, writes } = createRenameWrites(state, after, {
    renamedTableIds: tableIds,
    excludedKeys: options.excludedKeys ?? new Set(),
  });
  const getTableId = ({ params }: Write): string => params['tableId'] ?? '';
  const savedTables = new Map(
    operation.writes
      .filter((write) => isTableUpdate(write) && tableIds.has(getTableId(write)))
      .map((write) => {
        const before = getAllTables(state.model).find(({ oid }) => oid === getTableId(write)) ?? {};
        const renamePatch = writes.find(
          (candidate) => isTableUpdate(candidate) && getTableId(candidate) === getTableId(write),
        );
        return [getTableId(write), renameSavedTable(write, before, renamePatch)] as const;
      }),
  );
  const followUps = [...savedTables.values()].flatMap(({ write }) => write ?? []);
  const otherWrites = writes.filter((write) => !tableIds.has(getTableId(write)));
  const isUpdated = ({ subject: { resource } }: RenameReference): boolean => {
    const table =
      resource !== undefined && 'tableId' in resource ? savedTables.get(resource.tableId) : undefined;
    return (
      table?.updatesSql(resource !== undefined && 'columnId' in resource ? resource.columnId : undefined) ??
      true
    );
  };
  const firstWrites = [...operation.writes, ...followUps];
  // Output references count from the first of `writes`, but here other writes are in the place of those for the saved
  // tables.
  const offset = firstWrites.length - (writes.length - otherWrites.length);
  return {
    references: references.filter(isUpdated),
    operation: {
      ...operation,
      writes: [...firstWrites, ...shiftOutputRefs(otherWrites, offset)],
    },
  };
}

/**
 * Returns the renames in an applicable order. If some columns swap or shift their names, they all get temporary names
 * first, so that no name is used twice.
 */
function orderRenames(state: RenameState, renames: readonly Rename[]): readonly Rename[] {
  const index = new ModelIndex(datamodelSchema.parse(state.model));
  const isTaken = ({ tableId, columnId, newName }: Rename): boolean =>
    renames.some((other) => {
      const column =
        other.columnId === undefined ? undefined : index.getColumn(other.tableId, other.columnId);
      return (
        columnId !== undefined &&
        other.tableId === tableId &&
        other.columnId !== columnId &&
        column?.name.toLowerCase() === newName.toLowerCase()
      );
    });
  if (!renames.some(isTaken)) {
    return renames;
  }
  const prefix = getUnusedPrefix([state, renames]);
  const withTemporaryNames = renames.map((rename, index) => ({ ...rename, newName: `${prefix}${index}` }));
  return [...withTemporaryNames, ...renames];
}

/**
 * Returns a prefix for temporary names that appears nowhere in the value, so that no column, alias or other name starts
 * with it.
 */
function getUnusedPrefix(value: unknown): string {
  const text = stringify(value).toLowerCase();
  let prefix = 'RenamedColumn';
  while (text.includes(prefix.toLowerCase())) {
    prefix += 'X';
  }
  return prefix;
}
