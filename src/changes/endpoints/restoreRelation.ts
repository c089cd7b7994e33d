import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { IdUse, InverseWrites } from '../model/inverseWrites.ts';
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
  inverse: InverseWrites,
): void {
  if (isRestored(relation, inverse)) {
    return;
  }
  const joinedColumns = getObjects(relation['columns']);
  const waits = joinedColumns.some(({ table, column }) =>
    [table, column].some((id) => inverse.willRestore(getText(id))),
  );
  if (waits) {
    return;
  }
  if (addLossIfBroken(relation, { ...previous, datamodelId }, inverse)) {
    return;
  }
  if (addLossIfColumnIsMissing(relation, { ...previous, datamodelId }, inverse)) {
    return;
  }
  const name = getName(relation, { ...previous, datamodelId }, inverse);
  const uses = getCurrentColumnIds(joinedColumns, inverse);
  if (uses === undefined) {
    inverse.addLoss({ code: 'needs-build', name });
    return;
  }
  const relationId = getText(relation['oid']);
  const currentModelId = inverse.getCurrentId(datamodelId) ?? datamodelId;
  const existingModelId = typeof currentModelId === 'string' ? currentModelId : '';
  const body = {
    ...Object.fromEntries(relationProperties.map((property) => [property, relation[property] ?? null])),
    columns: joinedColumns.map((joinedColumn) => omitMembers(joinedColumn, 'isDropped')),
  };
  if (existingModelId !== '' && hasRelation(inverse, existingModelId, relationId)) {
    const ids = { datamodelId: existingModelId, relationId };
    const target = { kind: 'relation', ...ids } as const;
    inverse.add({ endpoint: 'relations.update', params: ids, body, target }, uses);
    return;
  }
  const index = inverse.add(
    {
      endpoint: 'relations.create',
      params: { datamodelId: existingModelId },
      body,
      ...(existingModelId === '' ? {} : { target: { kind: 'datamodel', datamodelId: existingModelId } }),
    },
    [...uses, { into: ['params', 'datamodelId'], id: currentModelId }],
  );
  // Earlier changes of the relation are undone with its new ID.
  inverse.addRestoredId(relationId, { write: index, from: ['oid'] });
  inverse.addLoss({ code: 'new-id', name });
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
  inverse: InverseWrites,
): boolean {
  // The server sets `isDropped` on a joined column that was deleted (platform-facts.md, 2.2).
  const isBroken = getObjects(relation['columns']).some(({ isDropped }) => isDropped === true);
  if (isBroken) {
    inverse.addLoss({ code: 'broken', name: getName(relation, previous, inverse) });
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
  inverse: InverseWrites,
): boolean {
  const { datamodelId } = previous;
  const isMissing = getObjects(relation['columns']).some(({ dataset, table, column }) => {
    const [datasetId, tableId, columnId] = [getText(dataset), getText(table), getText(column)];
    return inverse.isMissingColumn({ datamodelId, datasetId, tableId, columnId });
  });
  if (isMissing) {
    inverse.addLoss({ code: 'missing-column', name: getName(relation, previous, inverse) });
  }
  return isMissing;
}

const getName = (
  relation: JsonObject,
  { datamodelId, name, model }: PreviousRelation,
  inverse: InverseWrites,
): string =>
  name ?? getRelationName(relation, inverse.getDocument({ kind: 'datamodel', datamodelId }), model);

/** Returns whether a write that was added before creates the relation again. */
export const isRestored = ({ oid }: JsonObject, inverse: InverseWrites): boolean =>
  inverse.getCurrentId(getText(oid)) !== getText(oid);

/** Returns the current IDs of the joined columns; `undefined` if only a build will create one of them. */
function getCurrentColumnIds(
  joinedColumns: readonly JsonObject[],
  inverse: InverseWrites,
): readonly IdUse[] | undefined {
  const uses: IdUse[] = [];
  for (const [index, joinedColumn] of joinedColumns.entries()) {
    for (const field of ['dataset', 'table', 'column']) {
      const id = inverse.getCurrentId(getText(joinedColumn[field]));
      if (id === undefined) {
        return undefined;
      }
      uses.push({ into: ['body', 'columns', index, field], id });
    }
  }
  return uses;
}

function hasRelation(inverse: InverseWrites, datamodelId: string, relationId: string): boolean {
  const model = inverse.getDocument({ kind: 'datamodel', datamodelId });
  return getObjects(asObject(model)['relations']).some(({ oid }) => oid === relationId);
}
