import { MessageError, createMessage } from '../../base/localize.ts';
import { type ItemKey, parseItemKey } from '../item.ts';
import type { InstanceReading } from './readInstance.ts';
import type { SeenItems } from './seenItems.ts';

/**
 * Returns a reading in which the viewpoints couldn't be read, instead of that the instance doesn't offer them, if it
 * should have viewpoints.
 * An instance answers 404 for what it doesn't offer. For what it had when it was last seen, and what the project has,
 * that proves nothing.
 * @param items the items of the project
 */
export function requireViewpoints(
  reading: InstanceReading,
  { entries }: SeenItems,
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
                'The instance has no viewpoint service, but the project has viewpoints, or had some at the last pull. If it never has one, set "viewpoints": false in the file of its environment.',
              ),
            ),
          },
        ],
      };
}
