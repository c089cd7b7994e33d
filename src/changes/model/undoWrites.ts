import type { JsonObject, JsonValue } from '../../base/json.ts';
import { getRefKey, type ResourceRef } from '../../catalog/resourceRef.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import { hashDocument } from './documentHash.ts';
import type { OutputRef, Write } from './operation.ts';
import { shiftOutputRefs } from './outputRefs.ts';
import { asObject, getObjects, getText } from './jsonMembers.ts';

/**
 * The reason why an item can't be fully restored:
 * - `broken`: the relation had already lost a column;
 * - `new-id`: the item is restored under another ID;
 * - `new-rule-id`: rules on the named column are restored under other IDs;
 * - `bookmarks`: the bookmarks of a viewpoint are lost;
 * - `needs-build`: a relation or accumulation refers to a column that only a build can create;
 * - `missing-column`: a relation joins a column that isn't restored, since its table is kept as it is;
 * - `missing-accumulation`: the accumulation of a table refers to such a column;
 * - `column-settings`: the settings of a column of a custom table, which only a build can create;
 * - `sharing`: the sharing of a viewpoint, which lacks an app, or a user or group, so no request can set it;
 * - `settings`: shares, schedules and similar settings, which no request can set;
 * - `not-identified`: the ID of the created item is unknown;
 * - `unknown`: it is unknown whether the write was carried out.
 */
export type LossCode =
  | 'broken'
  | 'new-id'
  | 'new-rule-id'
  | 'bookmarks'
  | 'needs-build'
  | 'missing-column'
  | 'missing-accumulation'
  | 'column-settings'
  | 'sharing'
  | 'settings'
  | 'not-identified'
  | 'unknown';

export interface Loss {
  readonly code: LossCode;
  /** The name of the affected item. */
  readonly name: string;
}

/** The server's current documents. */
export type CurrentDocuments = readonly {
  readonly ref: ResourceRef;
  readonly document: JsonValue | undefined;
}[];

/** A known ID, or one that an earlier write will create. */
export type IdOrOutput = string | Pick<OutputRef, 'write' | 'from'>;

/** A former ID, and where its replacement is: the index of the write, and the path in its response. */
export type RestoredId = { readonly old: string } & Pick<OutputRef, 'write' | 'from'>;

/** An ID, and where it is used in a write. */
export interface IdUse {
  readonly into: OutputRef['into'];
  readonly id: IdOrOutput;
}

/** Collects the writes that undo an operation, and what they can't restore. */
export class UndoWrites {
  readonly writes: Write[] = [];
  readonly losses: Loss[] = [];
  /** Items that others have deleted, and rules that they have changed, since: each stops the undo with a conflict. */
  readonly conflictingRefs: ResourceRef[] = [];
  /** The documents that the writes depend on, with the hashes that they must still have when the writes are sent. */
  readonly requiredVersions: { readonly ref: ResourceRef; readonly hash: string }[] = [];
  readonly #rulesBySubject = new Map<string, ReadonlyMap<string, JsonObject>>();
  /** Documents by {@link getRefKey}: an operation may affect ten thousand of them, so they are not searched. */
  readonly #documents: ReadonlyMap<string, JsonValue | undefined>;
  /** Replacements for the IDs of recreated items; `undefined` for items that only a build will create. */
  readonly #newIds = new Map<string, IdOrOutput | undefined>();
  /** The deleted tables and columns of all writes to undo. */
  #deletedIds: ReadonlySet<string> = new Set();

  constructor(currentDocuments: CurrentDocuments) {
    this.#documents = new Map(currentDocuments.map(({ ref, document }) => [getRefKey(ref), document]));
  }

  /** Returns the server's current document; `undefined` if it doesn't exist or was not read. */
  getDocument(target: ResourceRef): JsonValue | undefined {
    return this.#documents.get(getRefKey(target));
  }

  /** Returns all current rules of a datamodel or cube set by their IDs. */
  getRules(subject: RuleSubject): ReadonlyMap<string, JsonObject> {
    const key = getRefKey({ kind: 'rules', subject });
    const rules =
      this.#rulesBySubject.get(key) ??
      new Map(getObjects(this.#documents.get(key)).map((rule) => [getText(rule['_id']), rule]));
    this.#rulesBySubject.set(key, rules);
    return rules;
  }

  /**
   * Sets the tables and columns that the writes to undo have deleted, other than the columns of these tables. Must be
   * called before the first of them is restored.
   */
  setDeletedIds(deletedIds: Iterable<string>): void {
    this.#deletedIds = new Set(deletedIds);
  }

  /** Returns whether a deleted table or column is yet to be restored. */
  willRestore(id: string): boolean {
    return this.#deletedIds.has(id) && !this.#newIds.has(id);
  }

  /** Returns whether a column of a table that was read doesn't exist, and no write restores it. */
  isMissingColumn({
    columnId,
    ...ids
  }: { readonly datamodelId: string; readonly datasetId: string } & {
    readonly tableId: string;
    readonly columnId: string;
  }): boolean {
    const key = getRefKey({ kind: 'table', ...ids });
    return (
      this.#documents.has(key) &&
      !this.#newIds.has(ids.tableId) &&
      !this.#newIds.has(columnId) &&
      !this.willRestore(ids.tableId) &&
      !this.willRestore(columnId) &&
      !getObjects(asObject(this.#documents.get(key))['columns']).some(({ oid }) => oid === columnId)
    );
  }

  addConflict(ref: ResourceRef): void {
    this.conflictingRefs.push(ref);
  }

  /** Adds a document that the writes depend on, in its current version. */
  requireVersion(ref: ResourceRef): void {
    this.requiredVersions.push({ ref, hash: hashDocument(ref.kind, this.getDocument(ref)) });
  }

  /**
   * Adds writes whose output references to each other are relative to the first of them.
   * @returns each write with its index among all writes
   */
  addAll(writes: readonly Write[]): readonly (readonly [index: number, write: Write])[] {
    const firstIndex = this.writes.length;
    this.writes.push(...shiftOutputRefs(writes, firstIndex));
    return writes.map((write, index) => [firstIndex + index, write]);
  }

  /**
   * Adds a write.
   * @param ids IDs to insert into it
   * @returns its index
   */
  add(write: Write, ids: readonly IdUse[] = []): number {
    const outputRefs = ids.flatMap(({ into, id }) => (typeof id === 'string' ? [] : [{ into, ...id }]));
    this.writes.push({ ...write, ...(outputRefs.length === 0 ? {} : { outputRefs }) });
    return this.writes.length - 1;
  }

  addLoss(loss: Loss): void {
    if (!this.losses.some(({ code, name }) => code === loss.code && name === loss.name)) {
      this.losses.push(loss);
    }
  }

  /** Items that are restored under an ID that the server will assign. */
  get restoredIds(): readonly RestoredId[] {
    return [...this.#newIds].flatMap(([oldId, id]) =>
      oldId === '' || id === undefined || typeof id === 'string' ? [] : [{ old: oldId, ...id }],
    );
  }

  /** Records the replacement of a former ID; `undefined` if only a build will create it. */
  addRestoredId(oldId: string, id: IdOrOutput | undefined): void {
    this.#newIds.set(oldId, id);
  }

  /** Returns the current ID for a former one; `undefined` if only a build will create it. */
  getCurrentId(oldId: string): IdOrOutput | undefined {
    return this.#newIds.has(oldId) ? this.#newIds.get(oldId) : oldId;
  }
}
