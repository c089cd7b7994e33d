import { getRefId, type ResourceKind } from '../../catalog/resourceRef.ts';
import type { UndoOperation } from '../journal/undo.ts';
import { readNamesakes } from '../endpoints/readAffectedDocuments.ts';
import type { DocumentReader } from '../model/documentReader.ts';
import type { Write, WriteEndpointId } from '../model/operation.ts';
import { asObject, getDocumentName, getObjects, getText } from '../model/jsonMembers.ts';
import type { ReadDocument } from '../model/readDocument.ts';

/** A restored item whose former name is now used by another item. */
export interface NameConflict {
  /** The former ID of the item. */
  readonly id: string;
  readonly kind: ResourceKind;
  /** The name that is in use. */
  readonly name: string;
  /** The name that it gets instead. */
  readonly newName: string;
  /** True if `newName` can't be used either. */
  readonly isInvalid: boolean;
}

/** The endpoints that give an item a name which must be unique, and the kind of the item. */
const namingEndpoints: Partial<Record<WriteEndpointId, ResourceKind>> = {
  'datamodels.create': 'datamodel',
  'datasets.create': 'dataset',
  'tables.create': 'table',
  'tables.update': 'table',
  'viewpoints.create': 'viewpoint',
};

interface NamingWrite {
  readonly id: string;
  readonly kind: ResourceKind;
  readonly name: string;
  readonly write: Write;
  /** The IDs of the items that earlier writes delete or rename: their names are free by then. */
  readonly freedIds: ReadonlySet<string>;
}

/**
 * Finds the items of an undo whose former names other items have now, and proposes unused names.
 * @param names the names that the user has chosen, by the former IDs of the items
 */
export async function findNameConflicts(
  undo: UndoOperation,
  { names, reader }: { readonly names: ReadonlyMap<string, string>; readonly reader: DocumentReader },
): Promise<readonly NameConflict[]> {
  const conflicts: NameConflict[] = [];
  for (const item of getNamingWrites(undo)) {
    if (!(await isNameUsed(item, item.name, reader))) {
      continue;
    }
    const chosenName = names.get(item.id);
    const newName = chosenName ?? (await findUnusedName(item, reader));
    conflicts.push({
      id: item.id,
      kind: item.kind,
      name: item.name,
      newName,
      isInvalid: newName.trim() === '' || (await isNameUsed(item, newName, reader)),
    });
  }
  return conflicts;
}

/**
 * Returns an item that now has the name of one that an undo would restore, or rename to its former name; `undefined` if
 * all of these names are unused.
 * @throws ApiError
 */
export async function findNameHolder(
  undo: Pick<UndoOperation, 'operation' | 'restoredIds'>,
  reader: DocumentReader,
): Promise<ReadDocument | undefined> {
  for (const item of getNamingWrites(undo)) {
    const holder = await findHolder(item, item.name, reader);
    if (holder !== undefined) {
      return holder;
    }
  }
  return undefined;
}

function getNamingWrites({
  operation: { writes },
  restoredIds,
}: Pick<UndoOperation, 'operation' | 'restoredIds'>): readonly NamingWrite[] {
  const freedIds = new Set<string>();
  return writes.flatMap((write, index): readonly NamingWrite[] => {
    const kind = namingEndpoints[write.endpoint];
    const isCreated = write.endpoint !== 'tables.update';
    const id = isCreated
      ? restoredIds.find((item) => item.write === index && item.from.length === 1)?.old
      : write.params['tableId'];
    const body = asObject(write.body);
    const isNamed = 'name' in body || 'title' in body;
    const earlierFreedIds = new Set(freedIds);
    if (write.target !== undefined && (write.endpoint.endsWith('.delete') || (!isCreated && isNamed))) {
      freedIds.add(getRefId(write.target) ?? '');
    }
    return kind === undefined || !id || !isNamed || isInEmptyContainer(write)
      ? []
      : [{ id, kind, name: getDocumentName(body), write, freedIds: earlierFreedIds }];
  });
}

/**
 * Returns whether an item is created in a container that is restored, too, so that nothing in it has the name. The
 * names of tables are unique in their datamodel, not only in their dataset.
 */
const isInEmptyContainer = ({ endpoint, outputRefs = [] }: Write): boolean =>
  outputRefs.some(
    ({ into: [root, name] }) => root === 'params' && (endpoint !== 'tables.create' || name === 'datamodelId'),
  );

async function findUnusedName(item: NamingWrite, reader: DocumentReader): Promise<string> {
  for (let number = 2; ; number += 1) {
    const name = `${item.name} ${number}`;
    if (!(await isNameUsed(item, name, reader))) {
      return name;
    }
  }
}

const isNameUsed = async (item: NamingWrite, name: string, reader: DocumentReader): Promise<boolean> =>
  (await findHolder(item, name, reader)) !== undefined;

/** Finds another item that has a name. Table names are compared case-insensitively, as in SQL. */
async function findHolder(
  { id, kind, write, freedIds }: NamingWrite,
  name: string,
  reader: DocumentReader,
): Promise<ReadDocument | undefined> {
  if (kind === 'table') {
    const { datamodelId = '' } = write.params;
    const datamodel = await reader.readDocument({ kind: 'datamodel', datamodelId });
    for (const dataset of getObjects(asObject(datamodel)['datasets'])) {
      const table = getObjects(asObject(dataset['schema'])['tables']).find(
        ({ oid, name: other }) =>
          oid !== id &&
          !freedIds.has(getText(oid)) &&
          !freedIds.has(getText(dataset['oid'])) &&
          getText(other).toLowerCase() === name.toLowerCase(),
      );
      if (table !== undefined) {
        const [datasetId, tableId] = [getText(dataset['oid']), getText(table['oid'])];
        return { ref: { kind, datamodelId, datasetId, tableId }, document: table };
      }
    }
    return undefined;
  }
  const nameField = kind === 'datamodel' ? 'title' : 'name';
  const namesakes = await readNamesakes(
    { ...write, body: { ...asObject(write.body), [nameField]: name } },
    reader,
  );
  return namesakes.find(
    ({ ref, document }) => ref.kind === kind && document !== undefined && !freedIds.has(getRefId(ref) ?? ''),
  );
}
