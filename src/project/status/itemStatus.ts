import type { ItemKey } from '../item.ts';

/** What one side has done with an item since the last pull. */
export type SideChange = 'added' | 'changed' | 'deleted';

/** The state of one side of an item; it's unknown if that side could not be read, or was not read yet. */
export type SideState = 'unchanged' | SideChange | 'unknown';

/** How an item of a project differs from what the last pull has seen. */
export interface ItemStatus {
  readonly key: ItemKey;
  /** The path of the item's file in the project, or that which it would have. */
  readonly path: string;
  /** What the project has done with the item. */
  readonly here: SideState;
  /** What the instance has done with it. */
  readonly server: SideState;
  /** Both sides have changed the same place, so a pull can't merge them. */
  readonly isConflict: boolean;
}

/** Where an item has changed. */
export type StatusGroup = 'here' | 'server' | 'both' | 'unknown';

const isChange = (state: SideState): state is SideChange => state !== 'unchanged' && state !== 'unknown';

/** Returns where an item has changed; `unknown` if its file can't be read. */
export function getStatusGroup({ here, server }: Pick<ItemStatus, 'here' | 'server'>): StatusGroup {
  if (here === 'unknown') {
    return 'unknown';
  }
  return isChange(here) ? (isChange(server) ? 'both' : 'here') : 'server';
}
