import type { ItemChange } from '../compare/itemChange.ts';
import { parseProject } from '../files/parseProject.ts';
import type { Project } from '../files/project.ts';
import type { ConvertedInstance } from '../instance/convertInstance.ts';
import { formatItemKey } from '../item.ts';
import { emptyLock } from '../pull/lock.ts';
import { planPull } from '../pull/planPull.ts';
import type { Selection } from '../source/selection.ts';
import { type Finding, isIgnorableCode } from '../validate/finding.ts';
import { checkProject } from '../validate/validateProject.ts';

/** What a plan is compared with, and what it changes. */
export interface ErrorSources {
  readonly project: Project;
  readonly pulled: ConvertedInstance;
  readonly changes: readonly Pick<ItemChange, 'key'>[];
  /** What was read of the instance: anything else may exist there. */
  readonly selection: Selection;
}

/**
 * Finds the errors that the instance has already, in items that a plan doesn't change: the apply neither makes them nor
 * can remove them. Errors that only the changes cause, such as a reference to what they rename, are not included.
 * Neither are errors that leave unclear who sees what.
 */
export function findExistingErrors(
  errors: readonly Finding[],
  { project, pulled, changes, selection }: ErrorSources,
): ReadonlySet<Finding> {
  const changed = new Set(changes.map(({ key }) => formatItemKey(key)));
  const getError = createErrorNamer(project);
  const candidates = errors.flatMap((finding) => {
    const { item, error } = getError(finding);
    const isAboutRules = finding.code.startsWith('rules/') || /^(rules|cubeSetRules)\//.test(item ?? '');
    const isUnclear = isAboutRules && !isIgnorableCode(finding.code);
    return item === undefined || changed.has(item) || isUnclear ? [] : [{ finding, error }];
  });
  if (candidates.length === 0) {
    return new Set();
  }
  const instance = toProject(pulled);
  const nameOnInstance = createErrorNamer(instance);
  const counts = new Map<string, number>();
  for (const finding of checkProject(instance, selection)) {
    if (finding.severity === 'error') {
      const { error } = nameOnInstance(finding);
      counts.set(error, (counts.get(error) ?? 0) + 1);
    }
  }
  return new Set(
    candidates.flatMap(({ finding, error }) => {
      const count = counts.get(error) ?? 0;
      counts.set(error, count - 1);
      return count > 0 ? [finding] : [];
    }),
  );
}

/** Returns the items of an instance with the files that a pull into an empty folder would write. */
function toProject(pulled: ConvertedInstance): Project {
  const project = parseProject({ texts: new Map(), faults: [] });
  const { writes } = planPull({
    project,
    lock: emptyLock,
    // With the notes, a pull would leave out what has rules that can't become files.
    pulled: { ...pulled, notes: [] },
    isUnknownOnInstance: () => false,
  });
  return parseProject({ texts: new Map(writes.map(({ path, text }) => [path, text])), faults: [] });
}

/**
 * Returns a function that names the item of a finding, and the error in it, in the same way for the project and for the
 * instance.
 */
function createErrorNamer({ items }: Project) {
  const keys = new Map(items.map(({ key, path }) => [path, formatItemKey(key)]));
  return ({
    path,
    code,
    subject,
    message,
    statement = message,
  }: Finding): { readonly item: string | undefined; readonly error: string } => {
    const item = keys.get(path);
    // The same name may be wrong in two places: the message says which table lacks it.
    return { item, error: JSON.stringify([item, code, subject, statement]) };
  };
}
