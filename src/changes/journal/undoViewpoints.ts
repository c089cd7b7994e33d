import type { JsonObject, JsonValue } from '../../base/json.ts';
import { isSameRef } from '../../catalog/resourceRef.ts';
import { renameInViewpoint } from '../../viewpoints/renameInViewpoint.ts';
import { viewpointKinds } from '../endpoints/viewpoints.ts';
import { InverseWrites, type CurrentDocuments } from '../model/inverseWrites.ts';
import type { Write } from '../model/operation.ts';
import { asObject, getObjects, getText } from '../model/jsonMembers.ts';
import { splitViewpointUpdate } from '../model/viewpointSteps.ts';
import { createViewpointUpdateWrite } from '../model/viewpointWrites.ts';
import type { HistoryEntry } from './entry.ts';
import { isCustomDataWrite } from './undoCustomData.ts';

export const isViewpointWrite = ({ endpoint }: Pick<Write, 'endpoint'>): boolean =>
  Object.hasOwn(viewpointKinds, endpoint);

/** Adds the writes that undo a write. Its body may be merged from several writes. */
type AddInverse = (write: Write, index: number, inverse: InverseWrites) => void;

/**
 * Undoes the changes of viewpoints: what the undo takes away comes before all other writes, and what it gives back
 * after them, as in the operation itself (`splitViewpointUpdate`). Adds the writes that come first, and returns a
 * function that adds those that come last.
 */
export function undoViewpoints(
  entry: HistoryEntry,
  currentDocuments: CurrentDocuments,
  { inverse, addInverse }: { readonly inverse: InverseWrites; readonly addInverse: AddInverse },
): () => void {
  const { operation, writeStates: states } = entry;
  const done = [...operation.writes.entries()]
    .filter(([index, write]) => isViewpointWrite(write) && states[index]?.state === 'done')
    .toReversed();
  const changesOthers = operation.writes.some(
    (write, index) =>
      !isViewpointWrite(write) && !isCustomDataWrite(write) && states[index]?.state !== 'waiting',
  );
  const deletedIds = new Set(
    done.flatMap(([, { endpoint, params }]) =>
      endpoint === 'viewpoints.delete' ? (params['viewpointId'] ?? '') : [],
    ),
  );
  const updates = Map.groupBy(
    done.filter(([, { endpoint }]) => endpoint === 'viewpoints.update'),
    ([, { params }]) => params['viewpointId'] ?? '',
  );
  const last: (() => void)[] = [];
  const addLast: AddInverse = (write, index) => last.push(() => addInverse(write, index, inverse));
  for (const [index, write] of done) {
    const { viewpointId = '' } = write.params;
    const [latest, ...others] = updates.get(viewpointId) ?? [];
    if (write.endpoint === 'viewpoints.create') {
      addInverse(write, index, inverse);
    } else if (write.endpoint === 'viewpoints.delete') {
      addLast(write, index, inverse);
    } else if (latest?.[0] === index && !deletedIds.has(viewpointId)) {
      const body = Object.assign(
        {},
        ...others.map(([, { body: earlier }]) => earlier),
        write.body,
      ) as JsonObject;
      const update = { ...write, body };
      const restoring = changesOthers
        ? getRestoringUpdate(update, index, { inverse, currentDocuments, addInverse })
        : undefined;
      if (restoring === undefined || write.target === undefined) {
        addLast(update, index, inverse);
        continue;
      }
      const current = asObject(inverse.getDocument(write.target));
      const steps = splitViewpointUpdate(current, restoring, createDetailsRenamer(entry, inverse));
      const add = (step: JsonObject | undefined): void => {
        if (step !== undefined) {
          inverse.add(createViewpointUpdateWrite({ viewpointId }, step));
        }
      };
      add(steps.beforeDataChanges);
      last.push(() => add(steps.afterDataChanges));
    }
  }
  return () => last.forEach((add) => add());
}

/**
 * Returns the body of the update that undoes an update, and adds what it can't restore; `undefined` if the viewpoint
 * has to be created again.
 */
function getRestoringUpdate(
  write: Write,
  index: number,
  {
    inverse,
    currentDocuments,
    addInverse,
  }: {
    readonly inverse: InverseWrites;
    readonly currentDocuments: CurrentDocuments;
    readonly addInverse: AddInverse;
  },
): JsonObject | undefined {
  const alone = new InverseWrites(currentDocuments);
  addInverse(write, index, alone);
  const [restoring] = alone.writes;
  if (restoring?.endpoint !== 'viewpoints.update') {
    return undefined;
  }
  alone.losses.forEach((loss) => inverse.addLoss(loss));
  return asObject(restoring.body);
}

/** Creates a function that gives tables and columns in the details of a viewpoint the names that an undo gives back. */
function createDetailsRenamer(
  { operation, before }: HistoryEntry,
  inverse: InverseWrites,
): (details: JsonValue) => JsonValue {
  const getBefore = (write: Write): JsonObject =>
    asObject(before.find(({ ref }) => write.target !== undefined && isSameRef(ref, write.target))?.document);
  const renames = operation.writes.flatMap((write) => {
    if (write.endpoint !== 'tables.update' || write.target === undefined) {
      return [];
    }
    const [earlier, current] = [getBefore(write), asObject(inverse.getDocument(write.target))];
    const table = getText(current['name']);
    const names = new Map(getObjects(earlier['columns']).map(({ oid, name }) => [oid, getText(name)]));
    const { datamodelId } = write.params;
    const model = before.find(({ ref }) => ref.kind === 'datamodel' && ref.datamodelId === datamodelId);
    return [
      ...getObjects(current['columns']).map(({ oid, name }) => ({
        target: { table, column: getText(name) },
        newName: names.get(oid ?? null) ?? '',
      })),
      { target: { table }, newName: getText(earlier['name']) },
    ]
      .filter(({ newName }) => newName !== '')
      .map((rename) => ({ ...rename, title: getText(asObject(model?.document)['title']) }));
  });
  return (details) => {
    const title = getText(asObject(asObject(details)['datasource'])['title']);
    // An operation on a single table doesn't record its datamodel.
    const changes = renames.filter((rename) => rename.title === '' || rename.title === title);
    return renameInViewpoint({ details }, changes)['details'] ?? null;
  };
}
