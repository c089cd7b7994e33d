import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { IdUse, InverseWrites } from '../model/inverseWrites.ts';
import { asObject, getObjects, getRelationName, getText } from '../model/readJson.ts';

/**
 * Adds the write that restores a relation: updates it if it still exists, otherwise creates it again under a new ID.
 * @param previous its earlier name, if known, and the earlier datamodel, which contains the names of its tables
 */
export function restoreRelation(
  datamodelId: string,
  relation: JsonObject,
  before: { readonly name?: string | undefined; readonly model: JsonValue | undefined },
  inverse: InverseWrites,
): void {
  const ends = getObjects(relation['columns']);
  const name =
    before.name ??
    getRelationName(relation, inverse.getDocument({ kind: 'datamodel', datamodelId }), before.model);
  // The server sets `isDropped` on an end whose column was deleted (platform-facts.md, 2.2).
  if (ends.some(({ isDropped }) => isDropped === true)) {
    inverse.addLoss({ code: 'broken', name });
    return;
  }
  const uses = getCurrentEnds(ends, inverse);
  if (uses === undefined) {
    inverse.addLoss({ code: 'needs-build', name });
    return;
  }
  const relationId = getText(relation['oid']);
  const model = inverse.getCurrentId(datamodelId) ?? datamodelId;
  const known = typeof model === 'string' ? model : '';
  const columns = ends.map(({ dataset = null, table = null, column = null }) => ({ dataset, table, column }));
  if (known !== '' && hasRelation(inverse, known, relationId)) {
    const ids = { datamodelId: known, relationId };
    const target = { kind: 'relation', ...ids } as const;
    inverse.add({ endpoint: 'relations.update', params: ids, body: { columns }, target }, uses);
    return;
  }
  const index = inverse.add(
    {
      endpoint: 'relations.create',
      params: { datamodelId: known },
      body: { columns },
      ...(known === '' ? {} : { target: { kind: 'datamodel', datamodelId: known } }),
    },
    [...uses, { into: ['params', 'datamodelId'], id: model }],
  );
  // Earlier changes of the relation are undone with its new ID.
  inverse.addMovedId(relationId, { write: index, from: ['oid'] });
  inverse.addLoss({ code: 'new-id', name });
}

/** Returns the current IDs of the joined columns; `undefined` if only a build will create one of them. */
function getCurrentEnds(ends: readonly JsonObject[], inverse: InverseWrites): readonly IdUse[] | undefined {
  const uses: IdUse[] = [];
  for (const [index, end] of ends.entries()) {
    for (const part of ['dataset', 'table', 'column']) {
      const id = inverse.getCurrentId(getText(end[part]));
      if (id === undefined) {
        return undefined;
      }
      uses.push({ into: ['body', 'columns', index, part], id });
    }
  }
  return uses;
}

function hasRelation(inverse: InverseWrites, datamodelId: string, relationId: string): boolean {
  const model = inverse.getDocument({ kind: 'datamodel', datamodelId });
  return getObjects(asObject(model)['relations']).some(({ oid }) => oid === relationId);
}
