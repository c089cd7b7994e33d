import type { Answer } from '../../client/answer.ts';
import type { PlatformClient } from '../../client/platformClient.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { CatalogChange } from '../../catalog/instanceCatalog.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import type { Effects, EffectSources } from './effectSources.ts';
import type { Documents, Snapshot } from './snapshot.ts';
import type { InverseWrites } from './inverseWrites.ts';
import type { DocumentReader } from './documentReader.ts';
import type { Write, WriteEndpointId } from './operation.ts';
import type { ReadDocument } from './readDocument.ts';
import type { WriteOutcome } from './writeOutcome.ts';

/** `-many`: it affects everything that matches its condition, such as all rules of a column. */
export type WriteAction = 'create' | 'update' | 'delete' | 'update-many' | 'delete-many';

/** The reach of a write beyond its document, which determines how much a plan has to load. */
export type Reach = 'itself' | 'datamodel' | 'rules and viewpoints';

/** The starting point of verifying a write; the documents are those from before the write. */
export interface VerifyContext {
  readonly client: PlatformClient;
  readonly before: readonly ReadDocument[];
}

/** A document as it is now, and as it was before the write. */
export interface Versions {
  readonly now: JsonObject;
  readonly old: JsonObject;
}

/** An item that a write created, by the ID in the response. */
export interface CreatedResource {
  readonly ref: ResourceRef;
  /**
   * Returns whether a version of it is what was created, and no one has put anything into it since.
   * @param own the IDs of everything that the operation has created
   */
  readonly isUnchanged: (now: JsonValue | undefined, own: ReadonlySet<JsonValue>) => boolean;
}

/** A completed write, as the history kept it. */
export interface DoneWrite {
  /** Its target before the write. */
  readonly old: JsonValue | undefined;
  /** The datamodel of its target before the write, if it was read. */
  readonly model: JsonValue | undefined;
  readonly answer: JsonValue | undefined;
  /** All documents that were read before the operation. */
  readonly before: readonly ReadDocument[];
  /** The subject of the operation, if it consisted of this write alone. */
  readonly name: string | undefined;
}

/**
 * The behavior of one endpoint that changes something: how to send it, what to read before, how to verify whether it
 * happened if its response is lost, how to undo it, and what it affects.
 */
export interface WriteKind {
  readonly action: WriteAction;
  /** Its changes show in queries only after a build (rest-api.md, "Build API"). */
  readonly needsBuild: boolean;
  /**
   * Sends it through the typed client, once.
   * @throws ApiError
   */
  readonly send: (client: PlatformClient, write: Write, signal?: AbortSignal) => Promise<Answer<unknown>>;
  /**
   * Reads the documents that it will change or delete, plus what is needed to restore them.
   * @throws ApiError
   */
  readonly readBefore: (write: Write, reader: DocumentReader) => Promise<readonly ReadDocument[]>;
  /**
   * Checks on the server whether it took effect although its response was lost. It did if the document matches the
   * request, and did not if nothing has changed; anything else is a change by another user, and the outcome is unknown.
   * @throws ApiError when the server can't be reached
   */
  readonly verifyOutcome: (write: Write, look: VerifyContext) => Promise<WriteOutcome>;
  /**
   * Finds the item that it created if the response doesn't name it; `undefined` if it can't be determined.
   * @throws ApiError
   */
  readonly findCreated?: (write: Write, look: VerifyContext) => Promise<JsonValue | undefined>;
  /** Returns the items that it created; empty if the response doesn't identify them. */
  readonly getCreated?: (write: Write, answer: JsonValue | undefined) => readonly CreatedResource[];
  /** Returns whether a document matches the request that changed it, as far as the payload goes. */
  readonly matchesRequest?: (write: Write, versions: Versions) => boolean;
  /** Returns the members of the document that it may have changed. */
  readonly getSentMembers?: (write: Write, old: JsonObject) => readonly string[];
  /** Returns the changed document, if it follows from the request. */
  readonly applyTo?: (write: Write, old: JsonObject) => JsonObject;
  /**
   * Collects the writes that undo it on its own. Absent for rules and custom data, which are undone as one change of
   * everything that the operation did to them.
   */
  readonly addInverse?: (write: Write, done: DoneWrite, inverse: InverseWrites) => void;
  /** Returns what it creates, changes and deletes, for a plan. */
  readonly getEffects: (write: Write, sources: EffectSources) => Effects;
  /**
   * Returns the instance as it will be after the write, as far as names and references are concerned.
   * @param newId ID of a new item until the server has given it one
   */
  readonly applyToSnapshot: (state: Snapshot, write: Write, newId: string) => Snapshot | Promise<Snapshot>;
  readonly getReach: (write: Write, documents: Documents) => Reach | Promise<Reach>;
  /** Returns the parts of the catalog that are outdated once it is sent, whatever its outcome. */
  readonly getCatalogChanges: (write: Write) => readonly CatalogChange[];
}

/** The kinds of the endpoints of one area: an endpoint without a kind is a compile error. */
export type WriteKinds<Area extends string> = Readonly<
  Record<Extract<WriteEndpointId, `${Area}.${string}`>, WriteKind>
>;
