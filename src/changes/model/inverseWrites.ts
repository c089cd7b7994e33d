import type { JsonObject, JsonValue } from '../../base/json.ts';
import { getRefKey, type ResourceRef } from '../../catalog/resourceRef.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import type { OutputRef, Write } from './operation.ts';
import { getObjects, getText } from './readJson.ts';

/**
 * The reason why something can't be restored as it was: `broken` a relation that had already lost a column; `new-id` it
 * is restored under another ID; `bookmarks` of a viewpoint; `needs-build` a relation of columns that a build has to
 * create first; `settings` shares, schedules and the like, which no request sets; `not-identified` the created item
 * can't be identified; `unknown` it is not known whether it was done.
 */
export type LossCode =
  | 'broken'
  | 'new-id'
  | 'bookmarks'
  | 'needs-build'
  | 'settings'
  | 'not-identified'
  | 'unknown';

export interface Loss {
  readonly code: LossCode;
  /** The name of the affected item. */
  readonly name: string;
}

/** Documents as the server has them now. */
export type CurrentDocuments = readonly {
  readonly ref: ResourceRef;
  readonly document: JsonValue | undefined;
}[];

/** A known ID, or one that an earlier write will create. */
export type IdOrOutput = string | Pick<OutputRef, 'write' | 'from'>;

/** A former ID, and the response that contains its replacement. */
export type MovedId = { readonly old: string } & Pick<OutputRef, 'write' | 'from'>;

/** The place that an ID is filled into. */
export interface IdUse {
  readonly into: OutputRef['into'];
  readonly id: IdOrOutput;
}

/** Collects the writes that undo an operation, and what they can't restore. */
export class InverseWrites {
  readonly writes: Write[] = [];
  readonly losses: Loss[] = [];
  /** Items that the operation created and someone has deleted since. */
  readonly missing: ResourceRef[] = [];
  readonly #getRules = new Map<string, ReadonlyMap<string, JsonObject>>();
  /** By {@link getRefKey}: an operation may affect ten thousand documents. */
  readonly #getDocument: ReadonlyMap<string, JsonValue | undefined>;
  /** Replacements for the IDs of recreated items; `undefined` for items that only a build will create. */
  readonly #moved = new Map<string, IdOrOutput | undefined>();

  constructor(present: CurrentDocuments) {
    this.#getDocument = new Map(present.map(({ ref, document }) => [getRefKey(ref), document]));
  }

  /** Returns the current document of the server; `undefined` if it doesn't exist or was not read. */
  getDocument(target: ResourceRef): JsonValue | undefined {
    return this.#getDocument.get(getRefKey(target));
  }

  /** Returns all current rules of a subject by their IDs. */
  getRules(subject: RuleSubject): ReadonlyMap<string, JsonObject> {
    const key = getRefKey({ kind: 'rules', subject });
    const known =
      this.#getRules.get(key) ??
      new Map(getObjects(this.#getDocument.get(key)).map((rule) => [getText(rule['_id']), rule]));
    this.#getRules.set(key, known);
    return known;
  }

  addMissing(ref: ResourceRef): void {
    this.missing.push(ref);
  }

  /** Adds writes whose references to each other count from the first of them. @returns each with its index */
  addAll(writes: readonly Write[]): readonly (readonly [index: number, write: Write])[] {
    const first = this.writes.length;
    for (const { made, ...write } of writes) {
      this.writes.push({
        ...write,
        ...(made === undefined
          ? {}
          : { made: made.map((value) => ({ ...value, write: value.write + first })) }),
      });
    }
    return writes.map((write, index) => [first + index, write]);
  }

  /** @returns the index of the write */
  add(write: Write, ids: readonly IdUse[] = []): number {
    const made = ids.flatMap(({ into, id }) => (typeof id === 'string' ? [] : [{ into, ...id }]));
    this.writes.push({ ...write, ...(made.length === 0 ? {} : { made }) });
    return this.writes.length - 1;
  }

  addLoss(loss: Loss): void {
    if (!this.losses.some(({ code, name }) => code === loss.code && name === loss.name)) {
      this.losses.push(loss);
    }
  }

  /** Everything that is restored under an ID that its write will create. */
  get moved(): readonly MovedId[] {
    return [...this.#moved].flatMap(([old, id]) =>
      old === '' || id === undefined || typeof id === 'string' ? [] : [{ old, ...id }],
    );
  }

  /** Replaces `old` with `id` from now on. */
  addMovedId(old: string, id: IdOrOutput | undefined): void {
    this.#moved.set(old, id);
  }

  /** Returns the replacement of a former ID; `undefined` if there is none until a build has run. */
  getCurrentId(old: string): IdOrOutput | undefined {
    return this.#moved.has(old) ? this.#moved.get(old) : old;
  }
}
