import { jsonEquals } from '../../base/canonicalJson.ts';
import type { ConvertedInstance } from '../instance/convertInstance.ts';
import { orderAsPulled } from '../instance/contentOrder.ts';
import { type ProjectItem, formatItemKey } from '../item.ts';
import { compareContents } from './compareContents.ts';
import { isInstanceOnly, isSetByInstance } from './itemChange.ts';
import { normalizeContent, normalizeWanted } from './normalizeContent.ts';
import type { PartHashes } from './parts.ts';
import { renameParties } from './partyNames.ts';

/**
 * How a file matches the instance. `applied` means that an apply would change nothing although they aren't equal: the
 * instance has more than the file, has derived something else from SQL, or has the connection of its environment.
 */
export type ContentMatch = 'equal' | 'applied' | 'different';

/**
 * Compares an item of a project with that of the instance, like a plan that deletes columns.
 * @param base what was last seen on the instance, if known: the project can't have deleted a column that was never
 * pulled
 */
export function matchContents(
  { key, content }: ProjectItem,
  theirs: ProjectItem,
  getPulledName: ConvertedInstance['getPulledName'],
  base?: PartHashes,
): ContentMatch {
  if (jsonEquals(orderAsPulled(key, content), theirs.content)) {
    return 'equal';
  }
  const { parts, notes } = compareContents({
    key,
    wanted: normalizeWanted(key, renameParties(key, content, getPulledName)),
    current: normalizeContent(key, theirs.content),
    getColumnName: (name) => name,
    prunesColumns: true,
  });
  const changes = parts.filter(
    ({ pointer, after }) => after !== undefined || base === undefined || base.has(pointer),
  );
  const isSame = changes.length === 0 && notes.every((note) => isSetByInstance(note) || isInstanceOnly(note));
  // A renamed item may differ in nothing but its name.
  return isSame && formatItemKey(key) === formatItemKey(theirs.key) ? 'applied' : 'different';
}
