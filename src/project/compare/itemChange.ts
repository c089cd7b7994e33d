import type { JsonValue } from '../../base/json.ts';
import type { ItemKey, ProjectItem } from '../item.ts';

/** What has to be done to an item to bring the instance to the state of the project. */
export type ChangeAction = 'create' | 'update' | 'delete';

/** A part of an item that differs. */
export interface PartChange {
  /** A JSON pointer such as `/description` or `/columns/Full Name`; empty for the whole item. */
  readonly pointer: string;
  /** The value on the instance; absent if there is none. */
  readonly before?: JsonValue;
  /** The value in the project; absent if the part is to be deleted. */
  readonly after?: JsonValue;
}

/** Whether an item has changed on the instance since it was last pulled. */
export interface ServerChangeState {
  /**
   * Whether an item has changed on the instance since the last pull, or was never pulled. If so, applying a change
   * overwrites a state that was never pulled.
   */
  readonly isChangedOnServer: boolean;
  /** Set if the instance has the item, but it was never pulled. */
  readonly isNeverPulled?: true;
}

/** An item that is deleted together with another item or with a column. It has its key on the instance. */
export interface DeletedItem extends ProjectItem, ServerChangeState {}

/**
 * An item that differs between the project and the instance. It also counts as changed on the server if an item that is
 * deleted with it has changed there.
 */
export interface ItemChange extends ServerChangeState {
  readonly action: ChangeAction;
  /** The key in the project; for a deletion, the key on the instance. */
  readonly key: ItemKey;
  /** The key on the instance, if the item is to be renamed. */
  readonly from?: ItemKey;
  readonly parts: readonly PartChange[];
  /** The pointers of the parts that have changed on the server since the last pull; absent if there are none. */
  readonly serverPointers?: readonly string[];
  /**
   * The pointers of what the instance may have and the file doesn't, without these counting as added by others: columns
   * that the change creates, and members that changed columns have already. Absent if there is nothing.
   */
  readonly expectedAdditions?: readonly string[];
  /**
   * Other items that are deleted by the change: the SQL of deleted tables and columns, everything in a deleted
   * datamodel, and rules that the instance already has on the new name of a column. Absent if there are none.
   */
  readonly deletedWith?: readonly DeletedItem[];
}

/** Something that only the instance has, and that an apply keeps. */
export interface ExtraItem {
  readonly key: ItemKey;
  /** If set, only this column of the table is meant. */
  readonly column?: string;
}

/**
 * Why a difference is not applied:
 * - `not-writable`: no request of the platform can set the member
 * - `missing`: no request can set the member, and it was never pulled
 * - `not-removable`: the file has null, but no request can remove the member
 * - `instance-only`: only the instance has the member, so nothing changes it: an absent member isn't managed
 * - `connection`: connections differ between environments, so those of existing datasets are not changed
 * - `generated-column`: the columns of a custom table are generated from its SQL by the next build
 * - `derived-column`: the instance derives such a column, or members of it such as its type and size, from the SQL
 * - `unknown-party-type`: the instance has a rule for a type of party that isn't known, so the rules of its column stay
 * - `former-name`: the instance has both the former and the new name of an item
 * - `added`: others have added something on the instance that the file doesn't have
 * - `broken-relation`: a relation on the instance has lost a column, and deletions of relations are not included
 *
 * Or why something with a former name is created and not renamed:
 * - `former-name-missing`: nothing on the instance has the former name
 * - `former-name-in-use`: the item with the former name is in the project, or becomes another item of the project
 * - `same-source`: a column has no former name, but only the instance has another column with the same source
 * - `first-apply`: the instance has nothing that could be renamed, because the datamodel is new there, or it has no
 *   viewpoints
 */
export type DifferenceNoteCode =
  | 'not-writable'
  | 'missing'
  | 'not-removable'
  | 'instance-only'
  | 'connection'
  | 'generated-column'
  | 'derived-column'
  | 'unknown-party-type'
  | 'former-name'
  | 'added'
  | 'broken-relation'
  | 'former-name-missing'
  | 'former-name-in-use'
  | 'same-source'
  | 'first-apply';

const setByInstanceCodes: ReadonlySet<string> = new Set<DifferenceNoteCode>([
  'missing',
  'connection',
  'derived-column',
]);

/**
 * Returns whether a note is about something that each instance sets itself: a connection belongs to an environment,
 * columns of custom tables with their types and sizes are derived from SQL, and only some instances have a member that
 * no request can set. Such a difference is expected in any project with two instances, and no change of a file removes
 * it on all of them, so it is counted and not reported as drift.
 */
export const isSetByInstance = ({ code }: { readonly code: string }): boolean => setByInstanceCodes.has(code);

/**
 * Returns whether a note is about a property that only the instance has, and that is no default of the platform. It
 * counts as what only the instance has, and not as a difference.
 */
export const isInstanceOnly = ({ code }: { readonly code: string }): boolean =>
  code === ('instance-only' satisfies DifferenceNoteCode);

/** A difference that is shown but not applied. */
export interface DifferenceNote {
  readonly code: DifferenceNoteCode;
  readonly key: ItemKey;
  readonly pointer: string;
  /** The value on the instance; absent if there is none, and for a connection, which may contain secrets. */
  readonly before?: JsonValue;
  /** The value in the project; absent if there is none, and for a connection. */
  readonly after?: JsonValue;
  /** The former name of an item or column that is created and not renamed. */
  readonly formerName?: string;
}

/** What differs between a project and an instance. */
export interface Comparison {
  /** Sorted by key. */
  readonly changes: readonly ItemChange[];
  /** Sorted by key. For a datamodel that only the instance has, only the datamodel itself is listed. */
  readonly extraItems: readonly ExtraItem[];
  readonly notes: readonly DifferenceNote[];
  /** The items that could not be read in the project or on the instance, or that are not managed. */
  readonly uncomparedItems: readonly ItemKey[];
  readonly unchangedCount: number;
}
