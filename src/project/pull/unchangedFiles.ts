import { hash } from 'node:crypto';
import { toCanonicalText } from '../../base/canonicalJson.ts';
import { type JsonValue, isJsonObject } from '../../base/json.ts';
import { type PartHashes, getRootMemberName } from '../compare/parts.ts';
import { orderAsPulled } from '../instance/contentOrder.ts';
import type { ProjectItem } from '../item.ts';
import { omitFormerNames } from './formerNames.ts';
import type { LockEntry } from './lock.ts';
import { equalsBase } from './mergeItem.ts';

/** The number of hexadecimal digits of a hash. */
const hashLength = 16;

/** Returns whether a file is the same as last seen on the instance, or as last applied to it. */
export const isUnchangedFile = (
  item: ProjectItem,
  { parts, appliedFile }: Pick<LockEntry, 'parts' | 'appliedFile'>,
): boolean =>
  equalsBase(item.key, getOrderedContent(item), selectParts(item, parts)) ||
  (appliedFile !== undefined && hashFileContent(item) === appliedFile);

/** Returns a hash of the content of a file, which doesn't depend on its layout and comments. */
export const hashFileContent = (item: ProjectItem): string =>
  hash('sha256', toCanonicalText(getOrderedContent(item))).slice(0, hashLength);

/** Returns the content of a file as a pull would order it and without former names, to compare it with an instance. */
export const getOrderedContent = (item: ProjectItem): JsonValue =>
  orderAsPulled(item.key, omitFormerNames(item));

/** Leaves out the hashes of members that a file doesn't have: an apply doesn't change these members. */
function selectParts({ content }: ProjectItem, parts: PartHashes): PartHashes {
  if (!isJsonObject(content)) {
    return parts;
  }
  return new Map(
    [...parts].filter(([pointer]) =>
      Object.hasOwn(content, getRootMemberName(pointer.split('/', 2).join('/'))),
    ),
  );
}
