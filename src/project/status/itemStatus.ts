import type { ItemKey } from '../item.ts';

/** How an item has changed in the project or on the instance since the last pull. */
export type SideChange = 'added' | 'changed' | 'deleted';

/**
 * The state of an item in the project or on the instance; `unknown` if it could not be read there, or was not read yet.
 */
export type SideState = 'unchanged' | SideChange | 'unknown';

/** How an item of a project differs from what the last pull has seen. */
export interface ItemStatus {
  readonly key: ItemKey;
  /** The path of the item's file in the project, or the path that it would have. */
  readonly path: string;
  /** The state of the item in the project. */
  readonly here: SideState;
  /** The state of the item on the instance. */
  readonly server: SideState;
  /** Whether the project and the instance have changed the same parts, so that a pull can't merge them. */
  readonly isConflict: boolean;
  /**
   * Whether the project and the instance differ and the item was never pulled, so that it's unknown which of them has
   * changed.
   */
  readonly isNeverPulled: boolean;
  /** The name that the instance has for an item that was renamed in the project. */
  readonly formerName?: string;
}

/**
 * A file that equals what the last pull has seen, but wasn't compared with the instance: whether the instance has
 * changed is unknown.
 */
export interface UncomparedFile {
  readonly path: string;
  /** The item that the file contains, as the instance names it. */
  readonly key: ItemKey;
  /** False if the settings of the project leave out the item, so that nothing of it is read. */
  readonly isManaged: boolean;
}

/** Where an item has changed; `differs` if that is unknown. */
export type StatusGroup = 'here' | 'server' | 'both' | 'differs' | 'unknown';

type Sides = Pick<ItemStatus, 'here' | 'server' | 'isNeverPulled'>;

/** Returns whether a state is a change. */
export const isChange = (state: SideState): state is SideChange =>
  state !== 'unchanged' && state !== 'unknown';

/** Returns where an item has changed; `unknown` if its file can't be read. */
export function getStatusGroup({ here, server, isNeverPulled }: Sides): StatusGroup {
  if (here === 'unknown') {
    return 'unknown';
  }
  if (isNeverPulled) {
    return 'differs';
  }
  return isChange(here) ? (isChange(server) ? 'both' : 'here') : 'server';
}

/** Returns whether the project has a file for an item that differs. An item that was added on the server has none. */
export const hasFile = ({ here, server }: Pick<ItemStatus, 'here' | 'server'>): boolean =>
  here !== 'deleted' && !(server === 'added' && here === 'unchanged');
