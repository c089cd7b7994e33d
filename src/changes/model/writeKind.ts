import type { ApiResponse } from '../../client/apiResponse.ts';
import type { PlatformClient } from '../../client/platformClient.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { CatalogChange } from '../../catalog/instanceCatalog.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import type { Effects, EffectSources } from './effectSources.ts';
import type { Documents, Snapshot } from './snapshot.ts';
import type { UndoWrites } from './undoWrites.ts';
import type { DocumentReader } from './documentReader.ts';
import type { Write, WriteEndpointId } from './operation.ts';
import type { ReadDocument } from './readDocument.ts';
import type { WriteOutcome } from './writeOutcome.ts';

/** The action of a write. `-many`: it affects everything that matches a condition, such as all rules of a column. */
export type WriteAction = 'create' | 'update' | 'delete' | 'update-many' | 'delete-many';

/** Where a write may break references; it determines how much a plan has to load. */
export type Reach = 'itself' | 'datamodel' | 'rules and viewpoints';

/** The data needed to verify a write. */
export interface VerifyContext {
  readonly client: PlatformClient;
  /**
   * The documents from before the write. One that an earlier write of the operation has changed is as it was before
   * that write.
   */
  readonly before: readonly ReadDocument[];
  /** The IDs of what the earlier writes of the operation have created, changed, or deleted. */
  readonly writtenIds?: ReadonlySet<string>;
  /** The keys of the lists of rules that the earlier writes of the operation have changed, or may have. */
  readonly writtenRules?: ReadonlySet<string>;
  /**
   * Returns whether a document is as the earlier writes of the operation have left it. Needed only if their responses
   * don't show that, since `before` doesn't show it then, either.
   */
  readonly matchesEarlierWrites?: (current: ReadDocument) => boolean;
  /** The server has refused each request of the write: it had no effect, but others may have made changes since. */
  readonly isRefused?: boolean;
}

/** The current version of a document, and the one from before the write. */
export interface Versions {
  readonly current: JsonObject;
  readonly previous: JsonObject;
}

/** An item that a write created, identified by the ID in the response. */
export interface CreatedResource {
  readonly ref: ResourceRef;
  /**
   * Returns whether the current version is still as created, and contains nothing that others have added since.
   */
  readonly isUnchanged: (current: JsonValue | undefined, operation: CreatingOperation) => boolean;
}

/** What an operation has done besides creating an item. */
export interface CreatingOperation {
  /** The IDs of everything that it has created. */
  readonly createdIds: ReadonlySet<JsonValue>;
  /** The bodies of its later requests that have changed the item. */
  readonly laterBodies: readonly JsonObject[];
}

/** A completed write, as stored in the history. */
export interface RecordedWrite {
  /** The target before the write. */
  readonly oldDocument: JsonValue | undefined;
  /** The datamodel of the target before the write, if it was read. */
  readonly model: JsonValue | undefined;
  readonly response: JsonValue | undefined;
  /** The rules of the datamodel before the operation, if they were read. */
  readonly rules: readonly JsonObject[];
  /** The name of the operation's subject, if this was its only write. */
  readonly name: string | undefined;
}

/**
 * The behavior of the writes of one endpoint: how to send a write, what to read before it, how to verify it if its
 * response is lost, how to undo it, and what it affects.
 */
export interface WriteKind {
  readonly action: WriteAction;
  /** The changes take effect in queries only after a build (rest-api.md, "Build API"). */
  readonly needsBuild: boolean;
  /**
   * Sends the write through the typed client, once. It can't be canceled: it would be unknown whether it took effect.
   * @throws ApiError
   */
  readonly send: (client: PlatformClient, write: Write) => Promise<ApiResponse<unknown>>;
  /**
   * Reads the documents that the write will change or delete, plus what is needed to restore them. For a creation,
   * reads the items that already have its name.
   * @throws ApiError
   */
  readonly readBefore: (write: Write, reader: DocumentReader) => Promise<readonly ReadDocument[]>;
  /**
   * Checks on the server whether a write whose response was lost took effect: it did if the document matches the
   * request, and did not if nothing has changed. Otherwise, another user has changed the document, and the outcome is
   * unknown.
   * @throws ApiError when the server can't be reached
   */
  readonly verifyOutcome: (write: Write, context: VerifyContext) => Promise<WriteOutcome>;
  /**
   * Finds the item that the write created if the response doesn't contain its ID; `undefined` if that is impossible.
   * @throws ApiError
   */
  readonly findCreated?: (write: Write, context: VerifyContext) => Promise<JsonValue | undefined>;
  /** Returns the items that the write created; empty if the response doesn't identify them. */
  readonly getCreated?: (write: Write, response: JsonValue | undefined) => readonly CreatedResource[];
  /** Returns whether a document matches the payload that changed it. */
  readonly matchesRequest?: (write: Write, versions: Versions) => boolean;
  /** Returns the names of the members of the document that the write may have changed. */
  readonly getWrittenMembers?: (write: Write, previous: JsonObject) => readonly string[];
  /**
   * Returns a version of the document without what the server generates again from what the write has sent.
   * @param versions `previous`: the document from before the write; `other`: the version to compare it with
   */
  readonly omitGenerated?: (
    write: Write,
    document: JsonObject,
    versions: { readonly previous: JsonObject; readonly other: JsonObject },
  ) => JsonObject;
  /** Returns the changed document; absent if it can't be derived from the request. */
  readonly applyTo?: (write: Write, previous: JsonObject) => JsonObject;
  /**
   * Collects the writes that undo this write. Not used for custom data and ordinary rule changes: those of one
   * operation are undone together.
   */
  readonly addUndoWrites?: (write: Write, completed: RecordedWrite, undoWrites: UndoWrites) => void;
  /** Returns what the write creates, changes and deletes, for a plan. */
  readonly getEffects: (write: Write, sources: EffectSources) => Effects;
  /**
   * Returns the snapshot after the write, as far as names and references are concerned.
   * @param newId provisional ID of a new item
   */
  readonly applyToSnapshot: (state: Snapshot, write: Write, newId: string) => Snapshot | Promise<Snapshot>;
  readonly getReach: (write: Write, documents: Documents) => Reach | Promise<Reach>;
  /** Returns the parts of the catalog that are outdated once the write was sent, whatever its outcome. */
  readonly getCatalogChanges: (write: Write) => readonly CatalogChange[];
}

/** The write kinds of all endpoints of one area; a missing one is a compile error. */
export type WriteKinds<Area extends string> = Readonly<
  Record<Extract<WriteEndpointId, `${Area}.${string}`>, WriteKind>
>;
