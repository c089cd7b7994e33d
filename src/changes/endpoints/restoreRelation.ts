import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { IdUse, UndoWrites } from '../model/undoWrites.ts';
import { relationProperties } from '../../contract/datamodel.ts';
import { asObject, getObjects, getRelationName, getText, omitMembers } from '../model/jsonMembers.ts';

/**
 * Adds the write that restores a relation: updates it if it still exists, otherwise creates it again under a new ID.
 * Adds a loss instead if the relation can't be restored. Adds nothing if an earlier write restores it already, or if a
 * table or column that it joins is restored later, since the relation is then restored with that.
 */
export function restoreRelation(
  datamodelId: string,
  relation: JsonObject,
  previous: Omit<PreviousRelation, 'datamodelId'>,
  undoWrites: UndoWrites,
): void {
  if (isRestored(relation, undoWrites)) {
    return;
  }
  const joinedColumns = getObjects(relation['columns']);
  const isRestoredLater = joinedColumns.some(({ table, column }) =>
    [table, column].some((id) => undoWrites.willRestore(getText(id))),
  );
  if (isRestoredLater) {
    return;
  }
  if (addLossIfBroken(relation, { ...previous, datamodelId }, undoWrites)) {
    return;
  }
  if (addLossIfColumnIsMissing(relation, { ...previous, datamodelId }, undoWrites)) {
    return;
  }
  const name = getName(relation, { ...previous, datamodelId }, undoWrites);
  const uses = getCurrentColumnIds(joinedColumns, undoWrites);
  if (uses === undefined) {
    undoWrites.addLoss({ code: 'needs-build', name });
    return;
  }
  const relationId = getText(relation['oid']);
  const currentModelId = undoWrites.getCurrentId(datamodelId) ?? datamodelId;
  const existingModelId = typeof currentModelId === 'string' ? currentModelId : '';
  const body = {
    ...Object.fromEntries(relationProperties.map((property) => [property, relation[property] ?? null])),
    columns: joinedColumns.map((joinedColumn) => omitMembers(joinedColumn, 'isDropped')),
  };
  if (existingModelId !== '' && hasRelation(undoWrites, existingModelId, relationId)) {
    const ids = { datamodelId: existingModelId, relationId };
    const target = { kind: 'relation', ...ids } as const;
    undoWrites.add({ endpoint: 'relations.update', params: ids, body, target }, uses);
    return;
  }
  const index = undoWrites.add(
    {
      endpoint: 'relations.create',
      params: { datamodelId: existingModelId },
      body,
      ...(existingModelId === '' ? {} : { target: { kind: 'datamodel', datamodelId: existingModelId } }),
    },
    [...uses, { into: ['params', 'datamodelId'], id: currentModelId }],
  );
  // Earlier changes of the relation are undone with its new ID.
  undoWrites.addRestoredId(relationId, { write: index, from: ['oid'] });
  undoWrites.addLoss({ code: 'new-id', name });
}

/** A relation as it was before a change. */
interface PreviousRelation {
  readonly datamodelId: string;
  /** Its name, if it is known. */
  readonly name?: string | undefined;
  /** Its datamodel, which contains the names of its tables. */
  readonly model: JsonValue | undefined;
}

/**
 * Adds a loss if a relation had already lost a column before the change, so that no write can restore it. Returns
 * whether a loss was added.
 */
export function addLossIfBroken(
  relation: JsonObject,
  previous: PreviousRelation,
  undoWrites: UndoWrites,
): boolean {
  // The server sets `isDropped` on a joined column that was deleted (platform-facts.md, 2.2).
  const isBroken = getObjects(relation['columns']).some(({ isDropped }) => isDropped === true);
  if (isBroken) {
    undoWrites.addLoss({ code: 'broken', name: getName(relation, previous, undoWrites) });
  }
  return isBroken;
}

/**
 * Adds a loss if a relation joins a column that doesn't exist and that the undo doesn't restore, since the undo keeps
 * its table as others have changed it. Returns whether a loss was added.
 */
export function addLossIfColumnIsMissing(
  relation: JsonObject,
  previous: PreviousRelation,
  undoWrites: UndoWrites,
): boolean {
  const { datamodelId } = previous;
  const isMissing = getObjects(relation['columns']).some(({ dataset, table, column }) => {
    const [datasetId, tableId, columnId] = [getText(dataset), getText(table), getText(column)];
    return undoWrites.isMissingColumn({ datamodelId, datasetId, tableId, columnId });
  });
  if (isMissing) {
    undoWrites.addLoss({ code: 'missing-column', name: getName(relation, previous, undoWrites) });
  }
  return isMissing;
}

const getName = (
  relation: JsonObject,
  { datamodelId, name, model }: PreviousRelation,
  undoWrites: UndoWrites,
): string =>
  name ?? getRelationName(relation, undoWrites.getDocument({ kind: 'datamodel', datamodelId }), model);

/** Returns whether a write that was added before creates the relation again. */
export const isRestored = ({ oid }: JsonObject, undoWrites: UndoWrites): boolean =>
  undoWrites.getCurrentId(getText(oid)) !== getText(oid);

/** Returns the current IDs of the joined columns; `undefined` if only a build will create one of them. */
function getCurrentColumnIds(
  joinedColumns: readonly JsonObject[],
  undoWrites: UndoWrites,
): readonly IdUse[] | undefined {
  const uses: IdUse[] = [];
  for (const [index, joinedColumn] of joinedColumns.entries()) {
    for (const field of ['dataset', 'table', 'column']) {
      const id = undoWrites.getCurrentId(getText(joinedColumn[field]));
      if (id === undefined) {
        return undefined;
      }
      uses.push({ into: ['body', 'columns', index, field], id });
    }
  }
  return uses;
}

function hasRelation(undoWrites: UndoWrites, datamodelId: string, relationId: string): boolean {
  const model = undoWrites.getDocument({ kind: 'datamodel', datamodelId });
  return getObjects(asObject(model)['relations']).some(({ oid }) => oid === relationId);
}
