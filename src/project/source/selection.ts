import type { JsonObject } from '../../base/json.ts';
import type { ItemKey } from '../item.ts';

/** The resources of an instance that a project manages, or that a command was limited to. */
export interface Selection {
  includesDatamodel(title: string): boolean;
  includesViewpoint(name: string): boolean;
  /** Whether any viewpoints may be selected. If not, no viewpoints are read. */
  readonly hasViewpoints: boolean;
  /** The names of the cube sets: no request lists them (rest-api.md, "Endpoints"). */
  readonly cubeSets: readonly string[];
  /** The filters that find custom data objects, by the names that the project gives to these objects. */
  readonly customData: ReadonlyMap<string, JsonObject>;
}

/** Returns whether an item, or what it belongs to, is selected. */
export const isSelected = (selection: Selection, key: ItemKey): boolean =>
  key.kind === 'viewpoint'
    ? selection.includesViewpoint(key.viewpoint)
    : key.kind === 'cubeSetRules'
      ? selection.cubeSets.includes(key.cubeSet)
      : key.kind === 'customData'
        ? selection.customData.has(key.name)
        : selection.includesDatamodel(key.datamodel);

/**
 * Returns a function that checks whether a name matches one of the patterns. `*` matches any characters; a backslash
 * escapes the character after it. Matching is case-sensitive, as on the server.
 */
export function createNameMatcher(patterns: readonly string[]): (name: string) => boolean {
  const parsedPatterns = patterns.map(splitPattern);
  return (name) => parsedPatterns.some((parts) => matchesParts(name, parts));
}

/** Returns the pattern that matches only one name. */
export const createNamePattern = (name: string): string => name.replaceAll(/[*\\]/g, '\\$&');

/** Returns the name that a pattern matches; `undefined` if it may match several. */
export function getOnlyName(pattern: string): string | undefined {
  const [name, ...others] = splitPattern(pattern);
  return others.length === 0 ? name : undefined;
}

/** Returns the texts between the stars of a pattern. */
function splitPattern(pattern: string): readonly string[] {
  const parts = [''];
  for (const [token] of pattern.matchAll(/\\.|[^]/gsu)) {
    if (token === '*') {
      parts.push('');
    } else {
      parts.push(
        `${parts.pop() ?? ''}${token.length > 1 && token.startsWith('\\') ? token.slice(1) : token}`,
      );
    }
  }
  return parts;
}

/** Matches each text at its first occurrence, so the time does not grow with the number of stars. */
function matchesParts(name: string, [first = '', ...others]: readonly string[]): boolean {
  const last = others.pop();
  if (last === undefined) {
    return name === first;
  }
  if (!name.startsWith(first)) {
    return false;
  }
  let position = first.length;
  for (const part of others) {
    const found = name.indexOf(part, position);
    if (found === -1) {
      return false;
    }
    position = found + part.length;
  }
  return name.length - last.length >= position && name.endsWith(last);
}
