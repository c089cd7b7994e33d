import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { IdUse, InverseWrites } from '../model/inverseWrites.ts';
import { asObject, getObjects, getRelationName, getText } from '../model/readJson.ts';

/**
 * Brings a relation back: changed where it is still there, made anew, under an id of its own, where it is not.
 * @param before what it was called, or the datamodel as it was, which names its tables
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
  // The server says of an end whose column went that it was dropped (platform-facts 2.2).
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
  // What was done to it before is taken back under the id that it has then.
  inverse.addMovedId(relationId, { write: index, from: ['oid'] });
  inverse.addLoss({ code: 'new-id', name });
}

/** The ids of its ends as they are now; `undefined` where one is of a column that only a build will make. */
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
