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

/** `-many`: it reaches whatever matches what it says, such as all rules of a column. */
export type WriteAction = 'create' | 'update' | 'delete' | 'update-many' | 'delete-many';

/** How far a write may reach beyond its document: what a plan asks for grows with it. */
export type Reach = 'itself' | 'datamodel' | 'rules and viewpoints';

/** What a second look at the server starts from: the documents are those of before the write. */
export interface VerifyContext {
  readonly client: PlatformClient;
  readonly before: readonly ReadDocument[];
}

/** A document as it is now, and as it was before the write. */
export interface Versions {
  readonly now: JsonObject;
  readonly old: JsonObject;
}

/** Something that a write has made, by the id that it was answered. */
export interface CreatedResource {
  readonly ref: ResourceRef;
  /**
   * Whether a version of it is what was made, and nobody has put anything into it since.
   * @param own the ids of everything that the operation has made
   */
  readonly isUnchanged: (now: JsonValue | undefined, own: ReadonlySet<JsonValue>) => boolean;
}

/** A write that was done, as the history kept it. */
export interface DoneWrite {
  /** Its target as it was before. */
  readonly old: JsonValue | undefined;
  /** The datamodel of its target as it was before, where that was read. */
  readonly model: JsonValue | undefined;
  readonly answer: JsonValue | undefined;
  /** All documents that were read before the operation. */
  readonly before: readonly ReadDocument[];
  /** What the operation was about, where it consisted of this write alone. */
  readonly name: string | undefined;
}

/**
 * Everything that there is to know of one endpoint that changes something: how it is sent, what to read before, how to
 * tell whether it happened when its answer is lost, how to take it back, and what it affects.
 */
export interface WriteKind {
  readonly action: WriteAction;
  /** What it changes shows in queries after a build only (spec, "Builds"). */
  readonly needsBuild: boolean;
  /**
   * Sends it through the typed client, once.
   * @throws ApiError
   */
  readonly send: (client: PlatformClient, write: Write, signal?: AbortSignal) => Promise<Answer<unknown>>;
  /**
   * The documents that it will change or delete, as they are now, and what is needed besides to bring them back.
   * @throws ApiError
   */
  readonly readBefore: (write: Write, reader: DocumentReader) => Promise<readonly ReadDocument[]>;
  /**
   * Looks at the server whether it took effect although its answer was lost. It did when the server says what was
   * sent, and did not when all is as it was; anything else is the work of somebody else, and nobody knows.
   * @throws ApiError when the server cannot be looked at
   */
  readonly verifyOutcome: (write: Write, look: VerifyContext) => Promise<WriteOutcome>;
  /**
   * What it has made where it was answered without saying so; `undefined` where that cannot be told.
   * @throws ApiError
   */
  readonly findCreated?: (write: Write, look: VerifyContext) => Promise<JsonValue | undefined>;
  /** What it has made; nothing where the answer does not say which it is. */
  readonly getCreated?: (write: Write, answer: JsonValue | undefined) => readonly CreatedResource[];
  /** Whether a document says what a change of it sent, as far as the payload speaks. */
  readonly matchesRequest?: (write: Write, versions: Versions) => boolean;
  /** The members of the document that it may have changed. */
  readonly getSentMembers?: (write: Write, old: JsonObject) => readonly string[];
  /** What it makes of a document, where that follows from what was sent. */
  readonly applyTo?: (write: Write, old: JsonObject) => JsonObject;
  /**
   * Collects the writes that take it back by itself. Rules and custom data go back as one change of all that the
   * operation did to them: they have none.
   */
  readonly addInverse?: (write: Write, done: DoneWrite, inverse: InverseWrites) => void;
  /** What it creates, changes and deletes, as a plan tells it. */
  readonly getEffects: (write: Write, sources: EffectSources) => Effects;
  /**
   * An instance as it will be after it, as far as names and references go.
   * @param newId what something new is called until the server has given it an id
   */
  readonly applyToSnapshot: (state: Snapshot, write: Write, newId: string) => Snapshot | Promise<Snapshot>;
  readonly getReach: (write: Write, documents: Documents) => Reach | Promise<Reach>;
  /** What the catalog holds that is no longer as it was once it was sent, whatever became of it. */
  readonly getCatalogChanges: (write: Write) => readonly CatalogChange[];
}

/** The kinds of the endpoints of one area: an endpoint without a kind does not compile. */
export type WriteKinds<Area extends string> = Readonly<
  Record<Extract<WriteEndpointId, `${Area}.${string}`>, WriteKind>
>;
