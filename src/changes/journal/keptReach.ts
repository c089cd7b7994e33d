import type { JsonObject } from '../../base/json.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import {
  asObject,
  getCompleteRelations,
  getDocumentName,
  getObjects,
  getText,
} from '../model/jsonMembers.ts';
import type { Write } from '../model/operation.ts';
import { getNameEffects, type RuleColumn } from '../rules/nameEffects.ts';
import type { HistoryEntry } from './entry.ts';

/** A datamodel as it is now. */
export interface CurrentModel {
  readonly document: JsonObject;
  /** Its rules, and those of the cube sets that the entry has changed; `undefined` if they can't be read. */
  readonly rules: readonly JsonObject[] | undefined;
}

/** Returns whether a rule is on a column. */
export const isOn = (rule: JsonObject, { table, column }: RuleColumn): boolean =>
  getText(rule['table']) === table && getText(rule['column']) === column;

/** The tables whose rules may restrict the rows of what an undo keeps: it is linked to them, or has been. */
export class Reach {
  readonly datamodelId: string;
  readonly #model: CurrentModel;
  /** The tables of the datamodel by their IDs, and those among them that are reached. */
  readonly #tables: ReadonlyMap<string, JsonObject>;
  readonly #reachedIds: ReadonlySet<string>;
  readonly #relations: readonly JsonObject[];

  /** @param start the ID of the table from which relations are followed; `undefined` for all tables */
  constructor(datamodelId: string, model: CurrentModel, start: string | undefined) {
    this.datamodelId = datamodelId;
    this.#model = model;
    this.#tables = new Map(
      getObjects(model.document['datasets']).flatMap((dataset) =>
        getTables(dataset).map((table) => [getText(table['oid']), table] as const),
      ),
    );
    this.#relations = getCompleteRelations(model.document);
    const reached = new Set(start === undefined ? this.#tables.keys() : [start]);
    // The loop also visits the IDs that it adds to the set.
    for (const tableId of reached) {
      this.#relations
        .filter((relation) => getTableIds(relation).includes(tableId))
        .forEach((relation) => getTableIds(relation).forEach((id) => reached.add(id)));
    }
    this.#reachedIds = reached;
  }

  /**
   * Returns whether rules on a table of this name may matter. Also true for a name that the datamodel doesn't have: it
   * may be the name of a table in another datamodel of a cube set.
   */
  mayRestrict(name: string): boolean {
    const named = [...this.#tables].filter(([, table]) => getDocumentName(table) === name);
    return named.length === 0 || named.some(([tableId]) => this.#reachedIds.has(tableId));
  }

  /** Returns whether there may be rules on reached tables, so that relations and tables protect something. */
  get hasRules(): boolean {
    const { rules } = this.#model;
    return rules === undefined || rules.some(({ table }) => this.mayRestrict(getText(table)));
  }

  get document(): JsonObject {
    return this.#model.document;
  }

  getTable(tableId: string): JsonObject | undefined {
    return this.#reachedIds.has(tableId) ? this.#tables.get(tableId) : undefined;
  }

  getRelation(relationId: string): JsonObject | undefined {
    return this.#relations.find(
      (relation) =>
        relation['oid'] === relationId && getTableIds(relation).some((id) => this.#reachedIds.has(id)),
    );
  }

  hasTableOfDataset(datasetId: string): boolean {
    return getObjects(this.document['datasets']).some(
      (dataset) =>
        dataset['oid'] === datasetId &&
        getTables(dataset).some(({ oid }) => this.#reachedIds.has(getText(oid))),
    );
  }

  /** Returns whether a relation joins a column, or there may be a rule on it. */
  needsColumn(tableName: string, column: JsonObject): boolean {
    const { rules } = this.#model;
    const name = { table: tableName, column: getDocumentName(column) };
    return (
      rules === undefined ||
      rules.some((rule) => isOn(rule, name)) ||
      this.#relations.some((relation) =>
        getObjects(relation['columns']).some((end) => end['column'] === column['oid']),
      )
    );
  }
}

const getTables = (dataset: JsonObject): readonly JsonObject[] =>
  getObjects(asObject(dataset['schema'])['tables']);

const getTableIds = (relation: JsonObject): readonly string[] =>
  getObjects(relation['columns']).map(({ table }) => getText(table));

/**
 * Returns the tables whose rules may restrict what an undo keeps; `undefined` if the kept document shows nothing more
 * than before, or isn't part of a datamodel that exists.
 * @param omitted the writes to the document, as far as the undo leaves them as they are
 */
export function findReach(
  ref: ResourceRef,
  omitted: readonly Write[],
  before: HistoryEntry['before'],
  models: ReadonlyMap<string, CurrentModel>,
): Reach | undefined {
  const model = 'datamodelId' in ref ? models.get(ref.datamodelId) : undefined;
  const effects = getNameEffects(omitted, before).filter(({ mayShowMore }) => mayShowMore);
  if (model === undefined || !('datamodelId' in ref) || effects.length === 0) {
    return undefined;
  }
  // What was removed may have restricted other tables.
  const removes = effects.some(
    ({ tables, mayRemoveProtection }) =>
      ref.kind !== 'table' ||
      tables === 'any' ||
      tables.some((table) => mayRemoveProtection({ table, column: '' })),
  );
  return new Reach(ref.datamodelId, model, removes || ref.kind !== 'table' ? undefined : ref.tableId);
}
