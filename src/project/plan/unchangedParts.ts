import { type JsonValue, getMember } from '../../base/json.ts';
import type { PartChange } from '../compare/itemChange.ts';
import { type PartHashes, addPartHashes, appendToken, getRootMemberName } from '../compare/parts.ts';
import type { ProjectItem } from '../item.ts';
import type { LockEntry } from '../pull/lock.ts';
import { equalsBase, partEqualsBase } from '../pull/mergeItem.ts';

/** Returns a part with its pointer on the instance, where a renamed column has its former name. */
export function toInstancePart(part: PartChange): PartChange {
  const name = part.pointer.startsWith('/columns/') ? getMember(part.before, 'name') : undefined;
  return typeof name === 'string' ? { ...part, pointer: appendToken('/columns', name) } : part;
}

/** Returns whether a part on the instance equals what the last pull recorded in the lock. */
export function isUnchangedSincePull(
  part: PartChange,
  { key, content }: ProjectItem,
  base: PartHashes,
): boolean {
  const { pointer } = part;
  if (pointer === '') {
    return equalsBase(key, content, base);
  }
  const { value, ...position } = getOriginalPart(part, content);
  return partEqualsBase(key, { pointer, ...position }, value, base);
}

/**
 * Returns whether a part on the instance equals what an apply recorded in the lock; false if no apply has recorded
 * parts that the last pull hadn't.
 */
export function isUnchangedSinceApply(
  part: PartChange,
  content: JsonValue,
  { parts, unpulledParts }: Pick<LockEntry, 'parts' | 'unpulledParts'>,
): boolean {
  if (unpulledParts === undefined) {
    return false;
  }
  const { pointer } = part;
  const { value, depth, isEntry } = getOriginalPart(part, content);
  const hashes = new Map<string, string>();
  if (value !== undefined) {
    addPartHashes(value, pointer, depth, hashes, isEntry);
  }
  const baseParts = new Map(
    [...parts, ...unpulledParts].filter(([other]) => other === pointer || other.startsWith(`${pointer}/`)),
  );
  return (
    hashes.size === baseParts.size && [...hashes].every(([other, hash]) => baseParts.get(other) === hash)
  );
}

/**
 * Returns the value of a part in the content that a pull compares. The value in a `PartChange` is normalized and has
 * fewer members.
 */
function getOriginalPart(
  { pointer, before }: PartChange,
  content: JsonValue,
): { readonly value: JsonValue | undefined; readonly depth: number; readonly isEntry: boolean } {
  const depth = pointer.split('/').length - 1;
  const isColumn = pointer.startsWith('/columns/') && depth > 1;
  const value =
    before === undefined
      ? undefined
      : isColumn
        ? findColumn(content, before)
        : getMember(content, getRootMemberName(pointer));
  return { value, depth, isEntry: isColumn };
}

function findColumn(content: JsonValue, column: JsonValue): JsonValue | undefined {
  const columns = getMember(content, 'columns');
  const name = getMember(column, 'name');
  return Array.isArray(columns)
    ? (columns as readonly JsonValue[]).find((other) => getMember(other, 'name') === name)
    : undefined;
}
