import type { JsonObject, JsonValue } from '../../base/json.ts';
import { getRefKey, type ResourceRef } from '../../catalog/resourceRef.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import type { OutputRef, Write } from './operation.ts';
import { getObjects, getText } from './readJson.ts';

/**
 * What cannot be brought back as it was:
 * `broken` a relation that had lost a column before; `new-id` it comes back under another id; `bookmarks` of a viewpoint; `needs-build` a relation of columns that a
 * build makes first; `settings` shares, schedules and the like, which
 * no request sets; `not-identified` what was created cannot be named; `unknown` nobody
 * knows whether it was done.
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
  /** What it is about. */
  readonly name: string;
}

/** Documents as the server has them now. */
export type CurrentDocuments = readonly {
  readonly ref: ResourceRef;
  readonly document: JsonValue | undefined;
}[];

/** An id that is known, or one that an earlier write will make. */
export type IdOrOutput = string | Pick<OutputRef, 'write' | 'from'>;

/** An id of before, and where the answer is that has the one that stands for it. */
export type MovedId = { readonly old: string } & Pick<OutputRef, 'write' | 'from'>;

/** Where an id goes. */
export interface IdUse {
  readonly into: OutputRef['into'];
  readonly id: IdOrOutput;
}

/** Collects the writes that take an operation back, and what they cannot bring back. */
export class InverseWrites {
  readonly writes: Write[] = [];
  readonly losses: Loss[] = [];
  /** What the operation made and somebody has taken away since. */
  readonly missing: ResourceRef[] = [];
  readonly #getRules = new Map<string, ReadonlyMap<string, JsonObject>>();
  /** By {@link getRefKey}: an operation may be about ten thousand documents. */
  readonly #getDocument: ReadonlyMap<string, JsonValue | undefined>;
  /** What replaces the ids of what is made anew; `undefined` for what only a build will make. */
  readonly #moved = new Map<string, IdOrOutput | undefined>();

  constructor(present: CurrentDocuments) {
    this.#getDocument = new Map(present.map(({ ref, document }) => [getRefKey(ref), document]));
  }

  /** The document as the server has it now; `undefined` where it has none or it was not looked at. */
  getDocument(target: ResourceRef): JsonValue | undefined {
    return this.#getDocument.get(getRefKey(target));
  }

  /** All rules of a subject as the server has them now, by their ids. */
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

  /** Adds writes that refer to each other as if there were no others. @returns each with its index */
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

  /** Everything that comes back under an id that its write will make. */
  get moved(): readonly MovedId[] {
    return [...this.#moved].flatMap(([old, id]) =>
      old === '' || id === undefined || typeof id === 'string' ? [] : [{ old, ...id }],
    );
  }

  /** From now on `id` stands for what `old` stood for. */
  addMovedId(old: string, id: IdOrOutput | undefined): void {
    this.#moved.set(old, id);
  }

  /** What stands for an id of before; `undefined` where nothing does until a build has run. */
  getCurrentId(old: string): IdOrOutput | undefined {
    return this.#moved.has(old) ? this.#moved.get(old) : old;
  }
}
