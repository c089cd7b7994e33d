import type { JsonObject, JsonValue } from '../../base/json.ts';
import { getRefId } from '../../catalog/resourceRef.ts';
import type { HistoryEntry } from '../journal/entry.ts';
import type { History } from '../journal/history.ts';
import { getUndoneIds } from '../journal/undoneEntries.ts';
import { asObject, getObjects, getText } from '../model/jsonMembers.ts';
import type { Write } from '../model/operation.ts';
import { resolveKnownOutputs } from '../model/outputRefs.ts';
import { type DatamodelOnInstance, mayHaveWrittenDatamodel } from './heldBuilds.ts';

/** An abandoned change, and the relations of a datamodel that it has left missing. */
export interface AbandonedRelations {
  readonly entry: HistoryEntry;
  /** By the columns that they join: `Orders.Order Id – Returns.Order Id`. */
  readonly relations: readonly string[];
}

/**
 * Finds changes, and undos of changes, that were abandoned between their writes of the tables and relations of a
 * datamodel, and left relations missing between tables that exist: after a build, rules might not restrict all tables
 * (docs/projects.md, "Apply"). Excludes changes that were undone since, and relations that the datamodel has again.
 * @param history the journals of this machine; changes from other machines are unknown
 * @param readDatamodel reads the datamodel with its tables and relations; called only if there is such a change
 * @throws ApiError
 */
export async function findAbandonedRelations(
  history: Pick<History, 'readEntriesOfAllTenants'>,
  connectionId: string,
  datamodel: DatamodelOnInstance,
  readDatamodel: () => Promise<JsonObject>,
): Promise<readonly AbandonedRelations[]> {
  const entries = await history.readEntriesOfAllTenants(connectionId);
  const undoneIds = getUndoneIds(entries);
  const abandoned = entries.filter(
    (entry) =>
      entry.isAbandoned === true &&
      !undoneIds.has(entry.id) &&
      mayHaveWrittenDatamodel(entry, datamodel, { isRunning: false }),
  );
  if (abandoned.length === 0) {
    return [];
  }
  const existing = new ExistingRelations(await readDatamodel());
  return abandoned.flatMap((entry) => {
    const relations = new Set(listLostRelations(entry).flatMap((columns) => existing.nameMissing(columns)));
    return relations.size === 0 ? [] : [{ entry, relations: [...relations] }];
  });
}

/** Returns the columns of each relation that an operation has deleted, or not created or changed, or may have. */
function listLostRelations(entry: HistoryEntry): readonly (readonly JsonObject[])[] {
  const responses = entry.writeStates.map((state) => (state.state === 'done' ? state.answer : undefined));
  return entry.operation.writes.flatMap((write, index) => {
    const state = entry.writeStates[index]?.state;
    if (!write.endpoint.startsWith('relations.') || state === undefined) {
      return [];
    }
    if (write.endpoint === 'relations.delete') {
      return state === 'waiting' ? [] : [getObjects(findRelation(entry, write)['columns'])];
    }
    const { body } = resolveKnownOutputs(write, responses);
    return state === 'done' ? [] : [getObjects(asObject(body)['columns'])];
  });
}

/** Returns a relation as it was before an operation; empty if the journal doesn't contain it. */
function findRelation({ before }: HistoryEntry, { target }: Write): JsonObject {
  const id = target && getRefId(target);
  const relations = before.flatMap(({ ref, document }) =>
    ref.kind === 'relation' ? [asObject(document)] : getObjects(asObject(document)['relations']),
  );
  return relations.find(({ oid }) => oid === id) ?? {};
}

/** The relations of a datamodel, and the names of its columns. */
class ExistingRelations {
  readonly #names: ReadonlyMap<string, string>;
  readonly #relations: readonly ReadonlySet<string>[];

  constructor({ datasets, relations }: JsonObject) {
    const tables = getObjects(datasets).flatMap(({ schema }) => getObjects(asObject(schema)['tables']));
    this.#names = new Map(
      tables.flatMap(({ oid, name, columns }) =>
        getObjects(columns).map((column) => [
          createKey(oid, column['oid']),
          `${getText(name)}.${getText(column['name'])}`,
        ]),
      ),
    );
    this.#relations = getObjects(relations).map(
      ({ columns }) => new Set(getObjects(columns).map(({ table, column }) => createKey(table, column))),
    );
  }

  /**
   * Returns the name of the relation of some columns; empty if the datamodel has this relation, or has fewer than two
   * of the columns.
   */
  nameMissing(columns: readonly JsonObject[]): readonly string[] {
    const keys = columns
      .map(({ table, column }) => createKey(table, column))
      .filter((key) => this.#names.has(key));
    return keys.length < 2 || this.#relations.some((relation) => keys.every((key) => relation.has(key)))
      ? []
      : [keys.map((key) => this.#names.get(key)).join(' – ')];
  }
}

const createKey = (tableId: JsonValue | undefined, columnId: JsonValue | undefined): string =>
  `${getText(tableId)} ${getText(columnId)}`;
