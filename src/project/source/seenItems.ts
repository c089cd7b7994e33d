import { MessageError, createMessage } from '../../base/localize.ts';
import type { Datamodel } from '../../contract/datamodel.ts';
import { type ItemKey, formatItemKey, parseItemKey } from '../item.ts';
import type { Lock } from '../pull/lock.ts';
import type { InstanceReading } from './readInstance.ts';

/**
 * An instance answers 404 for what it doesn't offer. For what it should have, that proves nothing: what the instance
 * had when it was last seen, and what the project has, is unknown then.
 */

/**
 * Returns whether a datamodel, which may have had another title, had rules when it was last seen. A datamodel that has
 * replaced one of the same title had none.
 */
export function hasSeenRules({ entries }: Pick<Lock, 'entries'>, { oid, title }: Datamodel): boolean {
  return [...entries.keys()].map(parseItemKey).some((key) => {
    if (key?.kind !== 'rules') {
      return false;
    }
    const { datamodel } = key;
    const seenId = entries.get(formatItemKey({ kind: 'datamodel', datamodel }))?.oid;
    return seenId === undefined ? datamodel === title : seenId === oid;
  });
}

/**
 * Returns a reading in which the viewpoints couldn't be read, instead of that the instance doesn't offer them, if it
 * should have viewpoints.
 * @param items the items of the project
 */
export function requireViewpoints(
  reading: InstanceReading,
  { entries }: Pick<Lock, 'entries'>,
  items: readonly { readonly key: ItemKey }[],
): InstanceReading {
  const keys = [...[...entries.keys()].map(parseItemKey), ...items.map(({ key }) => key)];
  return reading.offersViewpoints || !keys.some((key) => key?.kind === 'viewpoint')
    ? reading
    : {
        ...reading,
        offersViewpoints: true,
        unread: [
          ...reading.unread,
          {
            part: { kind: 'viewpoints' },
            error: new MessageError(
              createMessage(
                'The instance has no viewpoint service, but the project has viewpoints, or had some at the last pull.',
              ),
            ),
          },
        ],
      };
}
