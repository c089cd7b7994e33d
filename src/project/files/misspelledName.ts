import type { JsonPath } from '../../base/json.ts';
import { findClosestNames } from '../../base/similarNames.ts';
import type { TextEdit } from '../../base/textEdit.ts';
import { findNodeAtPath, getLiteralText, getMembersByKey } from '../../json/text/jsonNode.ts';
import type { JsonDocument } from '../../json/text/parseJsonTree.ts';

/** An unknown name in the JSON of a file. */
export interface UnknownName {
  /** The name as it is in the file. */
  readonly name: string;
  readonly path: JsonPath;
  /** Set if it is the name of the property at the path, not its value. */
  readonly isKey?: true;
  /** Set if another name changes who sees what, so that only the user can decide to use it. */
  readonly changesAccess?: true;
}

/** An unknown name with the known ones that were probably meant. */
export interface MisspelledName extends UnknownName {
  /** At least one name, and at most three; the most similar one first. */
  readonly candidates: readonly string[];
}

/** An edit that replaces a misspelled name. */
export interface NameFix {
  readonly newName: string;
  readonly edit: TextEdit;
  /** Whether no other name was probably meant, and no one gains or loses access. */
  readonly isPreferred: boolean;
}

/** Finds the known names that were probably meant by an unknown one; `undefined` if none is similar. */
export function findMeantNames(
  unknown: UnknownName,
  knownNames: readonly string[],
): MisspelledName | undefined {
  const candidates = findClosestNames(unknown.name, knownNames);
  return candidates.length === 0 ? undefined : { ...unknown, candidates };
}

/**
 * Returns the edits that replace a misspelled name, the best first; none if the text doesn't have the name at its path
 * anymore, or if the object of a key already has the most similar name.
 */
export function createNameFixes(
  { root }: Pick<JsonDocument, 'root'>,
  { name, path, isKey, candidates, changesAccess }: MisspelledName,
): readonly NameFix[] {
  const { member, node } = findNodeAtPath(root, path) ?? {};
  const range =
    isKey === true
      ? member && { text: member.key, start: member.start, end: member.keyEnd }
      : node && { text: getLiteralText(node), start: node.start, end: node.end };
  if (range?.text !== name) {
    return [];
  }
  const { start, end } = range;
  const owner = isKey === true ? findNodeAtPath(root, path.slice(0, -1))?.node : undefined;
  const usedKeys = owner?.kind === 'object' ? getMembersByKey(owner) : new Map();
  const [closest = ''] = candidates;
  // If the object already has the most similar key, the misspelled one is probably a duplicate of it, and no other is
  // meant.
  const newNames = usedKeys.has(closest) ? [] : candidates.filter((newName) => !usedKeys.has(newName));
  return newNames.map((newName) => ({
    newName,
    edit: { start, end, newText: JSON.stringify(newName) },
    isPreferred: newNames.length === 1 && changesAccess !== true,
  }));
}
