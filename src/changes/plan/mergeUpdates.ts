import { getRefKey } from '../../catalog/resourceRef.ts';
import type { WriteKindLookup } from '../endpoints/writeKinds.ts';
import type { Write } from '../model/operation.ts';
import { asObject } from '../model/jsonMembers.ts';

/**
 * Merges the updates of one document. An operation may need several, such as one that takes a viewpoint away before its
 * rules change, and one that shares it again after that. A plan shows what the document was before the operation, and
 * what it is after its last write. A merged write has the place of the first one, and is never sent.
 */
export function mergeUpdates(writes: readonly Write[], getWriteKind: WriteKindLookup): readonly Write[] {
  // An operation may have thousands of writes, so they are not searched.
  const merged = new Map<string, Write>();
  for (const [index, write] of writes.entries()) {
    const { endpoint, target, step } = write;
    const isUpdate = target !== undefined && step === undefined && getWriteKind(write).action === 'update';
    const key = isUpdate ? `${endpoint} ${getRefKey(target)}` : String(index);
    const earlier = merged.get(key);
    merged.set(key, earlier === undefined ? write : mergeWrites(earlier, write));
  }
  return [...merged.values()];
}

/** Merges two updates of one document; each replaces root members as a whole. */
function mergeWrites(earlier: Write, later: Write): Write {
  const laterBody = asObject(later.body);
  const outputRefs = [
    ...(earlier.outputRefs ?? []).filter(
      ({ into: [root, name] }) => root === 'body' && !(name !== undefined && Object.hasOwn(laterBody, name)),
    ),
    ...(later.outputRefs ?? []),
  ];
  const { outputRefs: _omitted, ...write } = later;
  return {
    ...write,
    body: { ...asObject(earlier.body), ...laterBody },
    ...(outputRefs.length === 0 ? {} : { outputRefs }),
  };
}
