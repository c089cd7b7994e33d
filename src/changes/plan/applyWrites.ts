import { type JsonObject, stringify } from '../../base/json.ts';
import { getRuleSubject, isSameSubject } from '../../catalog/ruleSubject.ts';
import { withModel, withTables } from '../endpoints/snapshots.ts';
import { getColumnNameOrId } from '../endpoints/matchesStored.ts';
import { withNewIds } from '../endpoints/tableColumns.ts';
import { loadWriteKinds } from '../endpoints/writeKinds.ts';
import { type Datamodel, datamodelSchema } from '../../contract/datamodel.ts';
import { type Table, tableSchema } from '../../contract/table.ts';
import type { Write } from '../model/operation.ts';
import { resolveKnownOutputs } from '../model/outputRefs.ts';
import { asObject } from '../model/jsonMembers.ts';
import type { Documents, RulesOfSubject, Snapshot } from '../model/snapshot.ts';

/**
 * Returns the snapshot after the writes, as far as names and references are concerned. The items that they create get
 * provisional IDs, since later writes may refer to these: for example, a new relation joins a new table.
 */
export async function applyWrites(snapshot: Snapshot, writes: readonly Write[]): Promise<Snapshot> {
  const getWriteKind = await loadWriteKinds(writes);
  let state = snapshot;
  const responses: JsonObject[] = [];
  for (const [index, write] of writes.entries()) {
    const newId = `new:${index}`;
    const resolvedWrite = resolveKnownOutputs(write, responses);
    state = await getWriteKind(write).applyToSnapshot(state, resolvedWrite, newId);
    responses.push(createProvisionalResponse(resolvedWrite, newId));
  }
  return state;
}

/** Returns the part of a response that has the IDs of what a write creates. */
function createProvisionalResponse({ body }: Write, newId: string): JsonObject {
  const columns = withNewIds(asObject(body), newId);
  return {
    oid: newId,
    columns: columns.map((column) => ({ name: getColumnNameOrId(column), oid: column['oid'] ?? '' })),
  };
}

/** Returns the snapshot updated with documents that were read more recently. */
export function withDocuments(snapshot: Snapshot, documents: Documents): Snapshot {
  return documents.all.reduce((state, { ref, document }) => {
    if (ref.kind === 'datamodel') {
      const model = datamodelSchema.safeParse(document).data;
      return model?.datasets && model.relations ? withModel(state, ref.datamodelId, () => model) : state;
    }
    const table = ref.kind === 'table' ? tableSchema.safeParse(document).data : undefined;
    return ref.kind !== 'table' || table === undefined
      ? state
      : withModel(state, ref.datamodelId, (model) =>
          withTables(model, ref.datasetId, (tables) => replaceTable(tables, table)),
        );
  }, snapshot);
}

const replaceTable = (tables: readonly Table[], table: Table): readonly Table[] =>
  tables.map((current) => (current.oid === table.oid ? table : current));

/** Returns whether two versions of a datamodel are equal. */
export const isSameModel = (a: Datamodel | undefined, b: Datamodel | undefined): boolean =>
  a === b || stringify(a) === stringify(b);

/** Returns the rules that may refer to a datamodel: its own and, for an extract datamodel, those of cube sets. */
export const getRulesOfDatamodel = (snapshot: Snapshot, model: Datamodel): readonly RulesOfSubject[] => {
  const modelSubject = getRuleSubject(model);
  return (snapshot.rules ?? []).filter(({ subject, isCubeSet }) =>
    isCubeSet === true ? modelSubject.kind === 'extract' : isSameSubject(subject, modelSubject),
  );
};
