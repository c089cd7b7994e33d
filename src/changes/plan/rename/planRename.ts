import { isTableUpdate } from '../../model/tableWrites.ts';
import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import { datamodelSchema } from '../../../contract/datamodel.ts';
import type { Operation, Write } from '../../model/operation.ts';
import { ModelIndex } from '../../model/modelIndex.ts';
import { type RenamePart, createRenameWrites, getAllTables } from './renameOperation.ts';
import { getObjects } from '../../model/readJson.ts';
import { isNamedOutput, type Rename, applyRename, type RenameState } from './renameState.ts';
import { renameSavedTable } from './renameSavedTable.ts';

/**
 * The reason why a rename is rejected. `gone`: the table or column no longer exists; `star`: the query of the custom
 * table selects the column with `*`, so its name can't be changed in the query.
 */
export type RenameProblem = 'empty' | 'same' | 'taken' | 'gone' | 'star';

/** Returns the reason to reject a rename, if any. Names are compared case-insensitively, as in SQL. */
export function getRenameProblem(model: JsonObject, rename: Rename): RenameProblem | undefined {
  const index = new ModelIndex(datamodelSchema.parse(model));
  const table = index.table(rename.tableId);
  const column = rename.columnId === undefined ? undefined : index.column(rename.tableId, rename.columnId);
  if (table === undefined || (rename.columnId !== undefined && column === undefined)) {
    return 'gone';
  }
  if (rename.to.trim() === '') {
    return 'empty';
  }
  const own = column ?? table;
  if (own.name === rename.to) {
    return 'same';
  }
  const others = (column === undefined ? index.tables : table.columns).filter(({ id }) => id !== own.id);
  if (others.some(({ name }) => name.toLowerCase() === rename.to.toLowerCase())) {
    return 'taken';
  }
  const isMadeByQuery = column !== undefined && table.table.type === 'custom' && !column.column.isCustom;
  return isMadeByQuery && !isNamedOutput(index, rename) ? 'star' : undefined;
}

/** The operation of a rename, and the references that it updates, which the user may exclude. */
export interface RenamePlan {
  readonly operation: Operation;
  readonly parts: readonly RenamePart[];
}

/**
 * Creates the operation that renames a table or column everywhere: first in the table itself, then in every SQL
 * expression, rule and viewpoint that uses the name. Relations and accumulations use oids and need no change.
 * @param options `leftOut`: keys of the parts that keep the old name, as chosen by the user
 */
export function planRename(
  state: RenameState,
  rename: Rename,
  facts: { readonly connectionId: string; readonly leftOut?: ReadonlySet<string> },
): RenamePlan {
  const index = new ModelIndex(datamodelSchema.parse(state.model));
  const table = index.table(rename.tableId);
  const column = rename.columnId === undefined ? undefined : index.column(rename.tableId, rename.columnId);
  const { parts, writes } = createRenameWrites(state, applyRename(state, rename), {
    first: new Set([rename.tableId]),
    leftOut: facts.leftOut ?? new Set(),
  });
  const named = table && { table, ...(column === undefined ? {} : { column }) };
  return {
    parts,
    operation: {
      connectionId: facts.connectionId,
      cause: 'rename',
      subject: {
        name: (column ?? table)?.name ?? '',
        within: named === undefined ? [] : index.getParents(named),
      },
      writes,
    },
  };
}

/** Returns the renames in a PATCH of a table: the table or columns that keep their oid and get another name. */
export function getRenames(write: Write, before: JsonObject): readonly Rename[] {
  const tableId = write.params['tableId'] ?? '';
  const body = isJsonObject(write.body) ? write.body : {};
  const { name } = body;
  const own = typeof name === 'string' && name !== before['name'] ? [{ tableId, to: name }] : [];
  const columns = getObjects(body['columns']).flatMap((column): readonly Rename[] => {
    const was = getObjects(before['columns']).find(({ oid }) => oid && oid === column['oid']);
    const [columnId, to] = [column['oid'], column['name']];
    return was !== undefined && typeof columnId === 'string' && typeof to === 'string' && to !== was['name']
      ? [{ tableId, columnId, to }]
      : [];
  });
  return [...own, ...columns];
}

/**
 * Plans a save that renames tables or columns: sends the payload of the save first and unchanged, then updates
 * everything that uses the old names.
 */
export function planRenamesOfSave(
  state: RenameState,
  operation: Operation,
  facts: { readonly renames: readonly Rename[]; readonly leftOut?: ReadonlySet<string> },
): RenamePlan {
  const after = orderRenames(state, facts.renames).reduce(applyRename, state);
  const own = new Set(facts.renames.map(({ tableId }) => tableId));
  const { parts, writes } = createRenameWrites(state, after, {
    first: own,
    leftOut: facts.leftOut ?? new Set(),
  });
  const getTableId = ({ params }: Write): string => params['tableId'] ?? '';
  const saved = new Map(
    operation.writes
      .filter((write) => isTableUpdate(write) && own.has(getTableId(write)))
      .map((write) => {
        const before = getAllTables(state.model).find(({ oid }) => oid === getTableId(write)) ?? {};
        const renamed = writes.find((one) => isTableUpdate(one) && getTableId(one) === getTableId(write));
        return [getTableId(write), renameSavedTable(write, before, renamed)] as const;
      }),
  );
  const behind = [...saved.values()].flatMap(({ write }) => write ?? []);
  const rest = writes.filter((write) => !own.has(getTableId(write)));
  const isOffered = ({ subject: { resource } }: RenamePart): boolean => {
    const table = resource !== undefined && 'tableId' in resource ? saved.get(resource.tableId) : undefined;
    return (
      table?.follows(resource !== undefined && 'columnId' in resource ? resource.columnId : undefined) ?? true
    );
  };
  const ahead = [...operation.writes, ...behind];
  return {
    parts: parts.filter(isOffered),
    operation: { ...operation, writes: [...ahead, ...shiftBehind(rest, ahead, writes)] },
  };
}

/**
 * Returns the renames in an applicable order. If some columns swap or shift their names, they all get temporary names
 * first, so that no name is used twice.
 */
function orderRenames({ model }: RenameState, renames: readonly Rename[]): readonly Rename[] {
  const index = new ModelIndex(datamodelSchema.parse(model));
  const isTaken = ({ tableId, columnId, to }: Rename): boolean =>
    renames.some((other) => {
      const column = other.columnId === undefined ? undefined : index.column(other.tableId, other.columnId);
      return (
        columnId !== undefined &&
        other.tableId === tableId &&
        other.columnId !== columnId &&
        column?.name.toLowerCase() === to.toLowerCase()
      );
    });
  const between = renames.map((rename, place) => ({ ...rename, to: `RenamedColumn${place}` }));
  return renames.some(isTaken) ? [...between, ...renames] : renames;
}

/**
 * Shifts the output references of some writes to their new positions in the operation.
 * @param firstWrites the writes that come before them in the operation
 * @param allWrites the list that the references are relative to, which ends with these writes
 */
function shiftBehind(
  kept: readonly Write[],
  ahead: readonly Write[],
  all: readonly Write[],
): readonly Write[] {
  const by = ahead.length - (all.length - kept.length);
  return kept.map((write) =>
    write.made === undefined
      ? write
      : { ...write, made: write.made.map((made) => ({ ...made, write: made.write + by })) },
  );
}
