import type { Project } from '../files/project.ts';
import type { SelectionLimits } from '../settings/projectSettings.ts';
import type { InstanceReading } from '../source/readInstance.ts';
import { createNameMatcher } from '../source/selection.ts';

/** A limit that matches nothing that the project manages, and why. */
export interface UnmatchedLimit {
  readonly code: 'no-match';
  readonly kind: 'datamodel' | 'viewpoint';
  /**
   * - `absent`: neither the instance nor the project has a match
   * - `letter-case`: only the letter case differs
   * - `excluded`: the instance may have matches, but the project doesn't manage them
   * - `no-service`: the instance offers no viewpoints
   */
  readonly reason: 'absent' | 'letter-case' | 'excluded' | 'no-service';
  /** The name that has another letter case. */
  readonly name?: string;
}

/** Returns a fault if a limit matches nothing, because it is most likely misspelled. */
export function findUnmatchedLimit(
  { datamodels, viewpoints }: SelectionLimits = {},
  { documents, unread, scope, offersViewpoints }: InstanceReading,
  { items }: Pick<Project, 'items'>,
): UnmatchedLimit | undefined {
  const kinds = [
    ['datamodel', datamodels, documents.datamodels.length, scope.listedTitles],
    ['viewpoint', viewpoints, documents.viewpoints.length, scope.listedViewpoints],
  ] as const;
  for (const [kind, patterns, count, listed] of kinds) {
    if (patterns === undefined || count > 0 || unread.length > 0) {
      continue;
    }
    const projectNames = items.flatMap(({ key }) =>
      kind === 'datamodel'
        ? 'datamodel' in key
          ? [key.datamodel]
          : []
        : key.kind === 'viewpoint'
          ? [key.viewpoint]
          : [],
    );
    const matches = createNameMatcher(patterns);
    if (projectNames.some(matches)) {
      continue;
    }
    if (kind === 'viewpoint' && !offersViewpoints) {
      return { code: 'no-match', kind, reason: 'no-service' };
    }
    if (listed?.some(matches) ?? true) {
      return { code: 'no-match', kind, reason: 'excluded' };
    }
    const matchesAnyCase = createNameMatcher(patterns.map((pattern) => pattern.toLowerCase()));
    const name = [...projectNames, ...(listed ?? [])].find((candidate) =>
      matchesAnyCase(candidate.toLowerCase()),
    );
    return name === undefined
      ? { code: 'no-match', kind, reason: 'absent' }
      : { code: 'no-match', kind, reason: 'letter-case', name };
  }
  return undefined;
}
