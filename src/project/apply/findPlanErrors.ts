import type { Project } from '../files/project.ts';
import { type ItemKey, formatItemKey } from '../item.ts';
import type { ItemChange } from '../compare/itemChange.ts';
import type { Selection } from '../source/selection.ts';
import { createAffectedCheck } from '../validate/affectedFindings.ts';
import type { Finding, FindingCode } from '../validate/finding.ts';
import { checkProject } from '../validate/validateProject.ts';
import { type ErrorSources, findExistingErrors } from './existingErrors.ts';

/**
 * Finds the errors in the files that a plan changes, and in those that depend on them. An error elsewhere doesn't
 * prevent the apply.
 * @param selection what the project manages, without the limits of the plan
 */
export function findPlanErrors(
  project: Project,
  { changes, uncomparedItems }: PlannedItems,
  selection: Selection,
): readonly Finding[] {
  if (changes.length === 0) {
    return [];
  }
  const paths = new Map(project.items.map(({ key, path }) => [formatItemKey(key), path]));
  const changedPaths = changes.flatMap(
    ({ key }) =>
      paths.get(formatItemKey(key)) ??
      // A deleted item no longer has a file: errors in the file of its datamodel count instead.
      ('datamodel' in key
        ? paths.get(formatItemKey({ kind: 'datamodel', datamodel: key.datamodel }))
        : undefined) ??
      [],
  );
  const isAffected = createAffectedCheck(project, changedPaths);
  const uncomparedPaths = new Set(uncomparedItems.map((key) => paths.get(formatItemKey(key))));
  return checkProject(project, selection).filter(
    (finding) =>
      finding.severity === 'error' &&
      isAffected(finding) &&
      !uncomparedPaths.has(finding.path) &&
      // The items of such a file are unknown, so the plan doesn't change them.
      (!unknownItemCodes.has(finding.code) || changedPaths.includes(finding.path)),
  );
}

/** The codes of errors in files whose items aren't known. */
const unknownItemCodes: ReadonlySet<FindingCode> = new Set(['project/duplicate-item', 'project/unreadable']);

/** The items that a plan changes, and those that it leaves alone because they are unknown. */
interface PlannedItems {
  readonly changes: readonly Pick<ItemChange, 'key'>[];
  readonly uncomparedItems: readonly ItemKey[];
}

/** The errors of a plan. */
export interface PlanErrors {
  /** These prevent the apply. */
  readonly blocking: readonly Finding[];
  /** The user has decided to ignore these. */
  readonly ignored: readonly Finding[];
  /** The instance has these already, in items that the plan doesn't change ({@link findExistingErrors}). */
  readonly existing: readonly Finding[];
}

/** Separates the errors that the instance has, too, and those with ignored codes from the others. */
export function splitErrors(
  errors: readonly Finding[],
  ignoredCodes: ReadonlySet<FindingCode>,
  sources: ErrorSources,
): PlanErrors {
  const existing = findExistingErrors(errors, sources);
  const others = errors.filter((error) => !existing.has(error));
  return {
    blocking: others.filter(({ code }) => !ignoredCodes.has(code)),
    ignored: others.filter(({ code }) => ignoredCodes.has(code)),
    existing: [...existing],
  };
}
