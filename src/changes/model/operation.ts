import type { JsonValue } from '../../base/json.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import { type EndpointId, endpoints } from '../../contract/endpoints.ts';

/**
 * Endpoints that no write names. The client may use the first to send a `liveRules.create` write. The second adds rules
 * to several cubes at once and may fail at an unknown point, so each cube gets a write of its own.
 */
const clientOnlyEndpoints = ['liveRules.createMany', 'extractRules.createMany'] as const;

/** Endpoints that change something on the platform, except builds, which change no document. */
export type WriteEndpointId = {
  [Id in EndpointId]: (typeof endpoints)[Id]['method'] extends 'GET' ? never : Id;
}[Exclude<EndpointId, `builds.${string}` | (typeof clientOnlyEndpoints)[number]>];

/** All write endpoints, in the order of the contract. */
export const writeEndpoints = (Object.keys(endpoints) as EndpointId[]).filter(
  (id): id is WriteEndpointId =>
    endpoints[id].method !== 'GET' &&
    !id.startsWith('builds.') &&
    !clientOnlyEndpoints.some((other) => other === id),
);

/** The path to a value: keys and indices. In an array, a string selects the item with that `name`. */
export type ValuePath = readonly (string | number)[];

/** A reference to a value in the response of an earlier write of the operation, such as the ID of a new item. */
export interface OutputRef {
  /** Where it is inserted: `['params', 'ruleId']`, `['body', 'columns', 0, 'table']`. */
  readonly into: readonly ['params' | 'body', ...ValuePath];
  /** Index of the write that creates it. */
  readonly write: number;
  /** Where it is in the response of that write: `['oid']`, `[0, '_id']`, `['columns', 'Total', 'oid']`. */
  readonly from: ValuePath;
}

/** One change that is sent to the platform: one request, or several if `batch` is set. */
export interface Write {
  readonly endpoint: WriteEndpointId;
  /** The path parameters; also `table` and `column` if the endpoint expects them in the query. */
  readonly params: Readonly<Record<string, string>>;
  /** The payload, as lossless JSON; for `customData.deleteMatching` its filter. Absent if the endpoint has none. */
  readonly body?: JsonValue;
  /** The document to change or delete; for a new document, its container (absent for a new datamodel). */
  readonly target?: ResourceRef;
  /** Values that are filled in from the responses of earlier writes. */
  readonly outputRefs?: readonly OutputRef[];
  /**
   * Sends a dataset's `parameters` even if they are one encrypted string, to restore them (decisions.md, "Documents").
   */
  readonly sendEncryptedParameters?: true;
  /**
   * `replaced`: part of the replacement of one live rule (`isPartOfReplacement`). `guard` occurs only in
   * histories of earlier versions, where temporary deny rules were writes.
   */
  readonly step?: 'guard' | 'replaced';
  /**
   * The name that a project gives to the custom data object, which has none itself. Absent for everything else, and in
   * journals of earlier versions.
   */
  readonly name?: string;
  /**
   * Set if the write may need several requests: added rules are split if they are too many for one request, and rules
   * are deleted one by one.
   */
  readonly batch?: RuleBatch;
}

/** Options of a write of many rules. */
export interface RuleBatch {
  /** IDs of the rules to delete, which exist before the operation; absent for a write that adds rules. */
  readonly ids?: readonly string[];
  /** The maximum body of one request, in bytes of UTF-8, if it isn't the default. */
  readonly maxBytes?: number;
}

/** The user's actions. Stored in the history; the UI provides the labels. */
export const operationCauses = [
  'save',
  'create',
  'duplicate',
  'delete',
  'rename',
  'hide',
  'unhide',
  'build-behaviour',
  'describe',
  'change-connection',
  'extend-relation',
  'publish',
  'unpublish',
  'share',
  'quick-fix',
  'bulk',
  'apply',
  'undo',
  'restore',
] as const;
export type OperationCause = (typeof operationCauses)[number];

/** One action of a user: writes that are sent in this order. */
export interface Operation {
  readonly connectionId: string;
  readonly cause: OperationCause;
  /** The affected item as shown in the UI: its name, and the names of its containers, outermost first. */
  readonly subject: { readonly name: string; readonly within: readonly string[] };
  /** The project that is applied; its lock file gets the result. */
  readonly project?: AppliedProject;
  /**
   * The names of the cube sets of the project that is applied, or whose apply is undone: their rules may name what is
   * written. Absent in journals of earlier versions.
   */
  readonly cubeSets?: readonly string[];
  /**
   * What it may show until the next build, if the user has confirmed its effects on access. Absent if nothing, and in
   * journals of earlier versions.
   */
  readonly visibleUntilBuild?: readonly VisibleUntilBuild[];
  /** The builds that its plan requires. Absent before it's recorded, and in journals of earlier versions. */
  readonly builds?: readonly RequiredBuild[];
  readonly writes: readonly Write[];
}

/** A build that is needed before a change takes effect in queries (rest-api.md, "Build API"). */
export interface RequiredBuild {
  /** `new:0` for a datamodel that the first write creates. */
  readonly datamodelId: string;
  readonly title: string;
  readonly type: 'schema_changes' | 'publish';
}

/** The next build or publication of a datamodel, with which a change of the datamodel takes effect. */
export interface PendingBuild {
  /** The title of the datamodel. */
  readonly datamodel: string;
  readonly isLive: boolean;
  /**
   * Set if the instance reports that the datamodel was never built or published: no query uses an earlier schema,
   * unless a build with that schema is running. Absent in journals of earlier versions.
   */
  readonly isNeverBuilt?: true | undefined;
}

/**
 * What an operation may show until a datamodel is built or published, and no longer after it, if queries use the schema
 * of the last build (docs/platform-facts.md, 1.3).
 */
export interface VisibleUntilBuild extends PendingBuild {
  /** The columns and tables by their names in that schema: `Customers.Segment`, `Orders`. */
  readonly data: readonly string[];
  readonly viewpoints: readonly string[];
  /**
   * The indices of the writes that may show it; without any of them, nothing more is visible. Absent in journals of
   * earlier versions.
   */
  readonly writes?: readonly number[] | undefined;
}

/** A project on this computer, and the environment that it is applied to. */
export interface AppliedProject {
  /** The absolute path of its folder. */
  readonly folder: string;
  readonly environment: string;
  /** The keys, as texts, of the items that are left for a later apply. Absent in journals of earlier versions. */
  readonly deferredItems?: readonly string[] | undefined;
  /**
   * The keys, as texts, of the rules that it changes and that were as the project had last seen them when it was
   * planned, with their hashes in its lock. Absent in journals of earlier versions.
   */
  readonly lastSeenRules?:
    | readonly { readonly keys: readonly string[]; readonly hashes: string }[]
    | undefined;
  /**
   * The items that it changes, by their keys as texts, as the project had them when it was planned. Absent in journals
   * of earlier versions.
   */
  readonly items?:
    | readonly {
        readonly key: string;
        /** The key on the instance, if the item was renamed. */
        readonly from?: string | undefined;
        /** The content of its file; absent if it was deleted. */
        readonly content?: JsonValue | undefined;
        /** What the instance may have beyond the file in changed columns although nobody has added it. */
        readonly expectedAdditions?: readonly string[] | undefined;
      }[]
    | undefined;
  /**
   * What the items that it changes were before, so that the project can go on with that if the apply is undone. Absent
   * in journals of earlier versions.
   */
  readonly formerItems?: readonly FormerItem[] | undefined;
  /**
   * The keys, as texts, of the items whose files a pull updates to match the instance if the apply is undone. Absent in
   * journals of earlier versions.
   */
  readonly replacedItems?: readonly string[] | undefined;
  /** The kinds of the items that it deletes. Absent if it deletes none, and in journals of earlier versions. */
  readonly prunedKinds?: readonly string[] | undefined;
}

/** An item of an instance before an apply has changed, created, renamed, or deleted it. */
export interface FormerItem {
  /** The text of its key on the instance. */
  readonly key: string;
  /** The text of its key in the project, if the apply gives it another name. */
  readonly newKey?: string | undefined;
  /** Whether it's SQL that the apply changes only because it renames what the SQL refers to. */
  readonly followsRename?: boolean | undefined;
  /** Its entry in the lock file; absent if there was none. */
  readonly lastSeen?: JsonValue | undefined;
  /** The hashes of its parts; absent if the instance didn't have it. */
  readonly parts?: Readonly<Record<string, string>> | undefined;
  /** The hashes of the parts of its file; absent if the project had none. */
  readonly appliedParts?: Readonly<Record<string, string>> | undefined;
  /** The hash of its file; absent if the project had none. */
  readonly appliedFile?: string | undefined;
}
