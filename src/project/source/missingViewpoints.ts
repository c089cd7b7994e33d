import { MessageError, createMessage } from '../../base/localize.ts';
import { type ItemKey, parseItemKey } from '../item.ts';
import type { InstanceReading } from './readInstance.ts';
import type { LockItems } from './lockItems.ts';

/**
 * Returns a reading in which the viewpoints of an instance without a viewpoint service are marked as unread, if the
 * lock has viewpoints, or if the project has some: then the 404 of the instance doesn't prove
 * that it has no such service. Otherwise, returns the reading unchanged.
 */
export function markMissingViewpointsUnread(
  reading: InstanceReading,
  {
    lock,
    projectItems,
  }: { readonly lock: LockItems; readonly projectItems: readonly { readonly key: ItemKey }[] },
): InstanceReading {
  const keys = [...[...lock.entries.keys()].map(parseItemKey), ...projectItems.map(({ key }) => key)];
  return reading.offersViewpoints || !keys.some((key) => key?.kind === 'viewpoint')
    ? reading
    : {
        ...reading,
        offersViewpoints: true,
        failedParts: [
          ...reading.failedParts,
          {
            part: { kind: 'viewpoints' },
            error: new MessageError(
              createMessage(
                'The instance has no viewpoint service, but the project has viewpoints, or had some at the last pull. If the instance isn\'t supposed to have one, set "viewpoints": false in the file of its environment.',
              ),
            ),
          },
        ],
      };
}
