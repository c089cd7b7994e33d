import { getMember } from '../../base/json.ts';
import { createMessage } from '../../base/localize.ts';
import type { FileItem } from '../files/project.ts';
import { findUnfulfilledConditions } from '../settings/customDataFilter.ts';
import { FileLocator } from './fileLocator.ts';
import { type Finding, toDescription } from './finding.ts';
import type { ItemNames } from './projectNames.ts';

/**
 * Finds the properties of a custom data object that don't match the filter that finds the object: no apply writes them.
 * A property that the file doesn't have stays as it is on the instance, and a reference may stand for any ID.
 */
export function checkCustomDataFilter(
  { key, content, path, text }: FileItem,
  names: ItemNames,
): readonly Finding[] {
  const filter = key.kind === 'customData' ? names.getCustomDataFilter(key.name) : undefined;
  if (filter === undefined) {
    return [];
  }
  const locator = new FileLocator(text);
  return findUnfulfilledConditions(content, filter, false)
    .filter((name) => getMember(getMember(content, name), '$ref') === undefined)
    .map((name) => ({
      path,
      ...locator.locatePath(['content', name]),
      severity: 'error',
      code: 'project/schema',
      ...toDescription(
        createMessage(
          '"{0}" doesn\'t match the filter of this custom data object in datamodel-studio.json, so the object would never be found again. Correct the content or the filter.',
          name,
        ),
      ),
    }));
}
