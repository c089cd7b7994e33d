import type { JsonValue } from '../../base/json.ts';
import type { ItemKey } from '../item.ts';

/** What brings the instance to the state of the project. */
export type ChangeAction = 'create' | 'update' | 'delete';

/** A part of an item that differs. */
export interface PartChange {
  /** A JSON pointer such as `/description` or `/columns/Full Name`; empty for the whole item. */
  readonly pointer: string;
  /** What the instance has; absent if it has nothing. */
  readonly before?: JsonValue;
  /** What the project wants; absent if the part is to be deleted. */
  readonly after?: JsonValue;
}

/** An item that differs between the project and the instance. */
export interface ItemChange {
  readonly action: ChangeAction;
  /** The key in the project; for a deletion that on the instance. */
  readonly key: ItemKey;
  /** The key on the instance, if the item is to be renamed. */
  readonly from?: ItemKey;
  readonly parts: readonly PartChange[];
  /** The instance has changed the item since the last pull: applying the change overwrites that. */
  readonly isChangedOnServer: boolean;
}

/** Something that the instance has and the project doesn't; it stays as it is. */
export interface ExtraItem {
  readonly key: ItemKey;
  /** The column of the table that is meant. */
  readonly column?: string;
}

/**
 * Why a difference stays although the project wants it:
 * - `not-writable`: no request of the platform can set the member
 * - `connection`: connections differ between environments, and are only changed on request
 * - `generated-column`: the columns of a custom table come from its SQL, with the next build
 * - `former-name`: the instance has both the former and the new name of an item
 */
export type DifferenceNoteCode = 'not-writable' | 'connection' | 'generated-column' | 'former-name';

/** A difference that is shown, and not applied. */
export interface DifferenceNote {
  readonly code: DifferenceNoteCode;
  readonly key: ItemKey;
  readonly pointer: string;
}

/** What differs between a project and an instance. */
export interface Comparison {
  /** Sorted by key. */
  readonly changes: readonly ItemChange[];
  /** Sorted by key. Of a datamodel, it's only the datamodel. */
  readonly extras: readonly ExtraItem[];
  readonly notes: readonly DifferenceNote[];
  /** The items that one side does not know. */
  readonly unknown: readonly ItemKey[];
  readonly unchangedCount: number;
}
