import { type JsonValue, getMember } from '../../base/json.ts';
import type { PartChange } from '../compare/itemChange.ts';
import { type PartHashes, appendToken, getPartName } from '../compare/parts.ts';
import { isLastSeen, isPartLastSeen } from '../pull/mergeItem.ts';

/** Returns a part with its pointer on the instance, where a renamed column has its former name. */
export function toInstancePart(part: PartChange): PartChange {
  const name = part.pointer.startsWith('/columns/') ? getMember(part.before, 'name') : undefined;
  return typeof name === 'string' ? { ...part, pointer: appendToken('/columns', name) } : part;
}

/** Returns whether a part on the instance is still the same as in the last pull. */
export function isUnchangedSincePull(
  { pointer, before }: PartChange,
  content: JsonValue,
  lastSeen: PartHashes,
): boolean {
  if (pointer === '') {
    return isLastSeen(content, lastSeen);
  }
  const depth = pointer.split('/').length - 1;
  // A normalized part has fewer members than a pull sees, so the original content is used.
  const isColumn = pointer.startsWith('/columns/') && depth > 1;
  const value =
    before === undefined
      ? undefined
      : isColumn
        ? findColumn(content, before)
        : getMember(content, getPartName(pointer));
  return isPartLastSeen({ pointer, depth, isEntry: isColumn }, value, lastSeen);
}

function findColumn(content: JsonValue, column: JsonValue): JsonValue | undefined {
  const columns = getMember(content, 'columns');
  const name = getMember(column, 'name');
  return Array.isArray(columns)
    ? (columns as readonly JsonValue[]).find((other) => getMember(other, 'name') === name)
    : undefined;
}
