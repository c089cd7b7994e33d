import type { ResourceKind } from '../../catalog/resourceRef.ts';
import type { UndoOperation } from '../journal/undo.ts';
import { readNamesakes } from '../endpoints/readAffectedDocuments.ts';
import type { DocumentReader } from '../model/documentReader.ts';
import type { Write, WriteEndpointId } from '../model/operation.ts';
import { asObject, getDocumentName, getObjects, getText } from '../model/jsonMembers.ts';

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

function getNamingWrites({ operation, restoredIds }: UndoOperation): readonly NamingWrite[] {
  return operation.writes.flatMap((write, index) => {
    const kind = namingEndpoints[write.endpoint];
    const isCreated = write.endpoint !== 'tables.update';
    const id = isCreated
      ? restoredIds.find((item) => item.write === index && item.from.length === 1)?.old
      : write.params['tableId'];
    const name = getDocumentName(asObject(write.body));
    // A container that is restored too is empty, so the name of the item is not used in it.
    const isInRestoredContainer = write.outputRefs?.some(({ into: [root] }) => root === 'params') === true;
    const isNamed = 'name' in asObject(write.body) || 'title' in asObject(write.body);
    return kind === undefined || !id || !isNamed || isInRestoredContainer ? [] : [{ id, kind, name, write }];
  });
}

async function findUnusedName(item: NamingWrite, reader: DocumentReader): Promise<string> {
  for (let number = 2; ; number += 1) {
    const name = `${item.name} ${number}`;
    if (!(await isNameUsed(item, name, reader))) {
      return name;
    }
  }
}

/** Returns whether another item has a name. Table names are compared case-insensitively, as in SQL. */
async function isNameUsed(
  { id, kind, write }: NamingWrite,
  name: string,
  reader: DocumentReader,
): Promise<boolean> {
  if (kind === 'table') {
    const datamodel = await reader.readDocument({
      kind: 'datamodel',
      datamodelId: write.params['datamodelId'] ?? '',
    });
    return getObjects(asObject(datamodel)['datasets'])
      .flatMap((dataset) => getObjects(asObject(dataset['schema'])['tables']))
      .some((table) => table['oid'] !== id && getText(table['name']).toLowerCase() === name.toLowerCase());
  }
  const nameField = kind === 'datamodel' ? 'title' : 'name';
  const namesakes = await readNamesakes(
    { ...write, body: { ...asObject(write.body), [nameField]: name } },
    reader,
  );
  return namesakes.some(({ ref, document }) => ref.kind === kind && document !== undefined);
}
