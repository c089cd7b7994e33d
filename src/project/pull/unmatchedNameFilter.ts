import type { Project } from '../files/project.ts';
import type { ItemKey } from '../item.ts';
import { findPatternSuggestions } from '../settings/managedFiles.ts';
import type { SelectionLimits } from '../settings/projectSettings.ts';
import type { InstanceReading } from '../source/readInstance.ts';
import { createNameMatcher } from '../source/selection.ts';

/** A limit that matches nothing that the project manages, and why. */
export interface UnmatchedNameFilter {
  readonly code: 'no-match';
  readonly kind: 'datamodel' | 'viewpoint';
  /**
   * - `absent`: neither the instance nor the project has a match; `name` is a similar name, if there is one
   * - `letter-case`: only the letter case differs
   * - `excluded`: the instance may have matches, but the project doesn't manage them
   * - `no-service`: the instance offers no viewpoints
   */
  readonly reason: 'absent' | 'letter-case' | 'excluded' | 'no-service';
  /** The name that was probably meant. */
  readonly name?: string;
}

/**
 * Returns a fault if a limit matches nothing, because it is most likely misspelled. Returns `undefined` if each limit
 * matches something, or if that can't be decided because a part of the instance could not be read.
 */
export function findUnmatchedNameFilter(
  { datamodels, viewpoints }: SelectionLimits = {},
  { documents, failedParts, scope, offersViewpoints, isSelected }: InstanceReading,
  { items }: Pick<Project, 'items'>,
): UnmatchedNameFilter | undefined {
  const kinds = [
    ['datamodel', datamodels, documents.datamodels.length, scope.listedTitles],
    ['viewpoint', viewpoints, documents.viewpoints.length, scope.listedViewpoints],
  ] as const;
  for (const [kind, patterns, count, listed] of kinds) {
    if (patterns === undefined || count > 0 || failedParts.length > 0) {
      continue;
    }
    const projectItems = items.filter(({ key }) => getName(kind, key) !== undefined);
    const matches = createNameMatcher(patterns);
    const matchesItem = ({ key }: (typeof items)[number]): boolean => matches(getName(kind, key) ?? '');
    if (projectItems.some((item) => matchesItem(item) && isSelected(item.key))) {
      continue;
    }
    if (projectItems.some(matchesItem)) {
      return { code: 'no-match', kind, reason: 'excluded' };
    }
    if (kind === 'viewpoint' && !offersViewpoints) {
      return { code: 'no-match', kind, reason: 'no-service' };
    }
    if (listed?.some(matches) ?? true) {
      return { code: 'no-match', kind, reason: 'excluded' };
    }
    const names = [...projectItems.flatMap(({ key }) => getName(kind, key) ?? []), ...(listed ?? [])];
    const matchesAnyCase = createNameMatcher(patterns.map((pattern) => pattern.toLowerCase()));
    const name = names.find((candidate) => matchesAnyCase(candidate.toLowerCase()));
    if (name !== undefined) {
      return { code: 'no-match', kind, reason: 'letter-case', name };
    }
    const [similarName] = patterns.flatMap((pattern) => findPatternSuggestions(pattern, names));
    return {
      code: 'no-match',
      kind,
      reason: 'absent',
      ...(similarName === undefined ? {} : { name: similarName }),
    };
  }
  return undefined;
}

const getName = (kind: UnmatchedNameFilter['kind'], key: ItemKey): string | undefined =>
  kind === 'viewpoint'
    ? key.kind === 'viewpoint'
      ? key.viewpoint
      : undefined
    : 'datamodel' in key
      ? key.datamodel
      : undefined;
