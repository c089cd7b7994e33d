import type { Project } from '../files/project.ts';
import type { ItemKey } from '../item.ts';
import { findExcludedFiles, findPatternSuggestions, getManagedName } from '../settings/managedFiles.ts';
import {
  type ProjectSettings,
  type SelectionLimits,
  createSelection,
  defaultProjectSettings,
} from '../settings/projectSettings.ts';
import type { InstanceReading } from '../source/readInstance.ts';
import { getOnlyName, isSelected } from '../source/selection.ts';

/** A name in "manage" that neither the instance nor the project has: most likely, it's misspelled. */
export interface UnknownManagedName {
  readonly kind: 'datamodel' | 'viewpoint';
  readonly name: string;
  /** The name that was probably meant: the project doesn't manage it. */
  readonly similarName?: string | undefined;
}

/** What a pull, a plan, or a comparison leaves out because of "manage", although it probably shouldn't. */
export interface UnmanagedSummary {
  /** The folders with files that "manage" excludes, and how many of their files. */
  readonly excluded: readonly { readonly folder: string; readonly files: number }[];
  readonly unknownNames: readonly UnknownManagedName[];
}

/** Returns whether "manage" leaves nothing out that it probably shouldn't. */
export const isEverythingManaged = ({ excluded, unknownNames }: UnmanagedSummary): boolean =>
  excluded.length + unknownNames.length === 0;

/** The sources of {@link findUnmanaged}. */
interface UnmanagedSources {
  readonly settings: ProjectSettings;
  /** The limits of the command; what is outside them is left out on purpose. */
  readonly limits: SelectionLimits | undefined;
  readonly reading: Pick<InstanceReading, 'scope'>;
  readonly project: Pick<Project, 'items' | 'mayBeInUnreadFile'>;
}

/**
 * Finds the files that "manage" excludes, and the names in it that neither the project nor the instance has. Patterns
 * with an asterisk are not reported, because they may match nothing.
 */
export function findUnmanaged({
  settings,
  limits = {},
  reading,
  project,
}: UnmanagedSources): UnmanagedSummary {
  const selection = createSelection(settings);
  const limited = createSelection(defaultProjectSettings, limits);
  const isLimited = limits.datamodels !== undefined || limits.viewpoints !== undefined;
  const isWithinLimits = (key: ItemKey): boolean => !isLimited || isSelected(limited, key);
  const { listedTitles, listedViewpoints, unreadParts } = reading.scope;
  const kinds = [
    ['datamodel', settings.manage.datamodels, listedTitles],
    ['viewpoint', settings.manage.viewpoints, listedViewpoints],
  ] as const;
  const unknownNames = kinds.flatMap(([kind, patterns, listed]) => {
    // Without a complete list, the instance may have the name.
    if (listed === undefined || unreadParts.some((part) => part.kind === `${kind}s`)) {
      return [];
    }
    const createKey = (name: string): ItemKey =>
      kind === 'datamodel' ? { kind, datamodel: name } : { kind, viewpoint: name };
    const names = new Set([
      ...listed,
      ...project.items.flatMap(({ key }) => {
        const managed = getManagedName(key);
        return managed.kind === `${kind}s` ? [managed.name] : [];
      }),
    ]);
    return patterns
      .flatMap((pattern) => getOnlyName(pattern) ?? [])
      .filter((name) => !names.has(name) && isWithinLimits(createKey(name)))
      .filter((name) => !project.mayBeInUnreadFile(createKey(name)))
      .map((name): UnknownManagedName => {
        const others = [...names].filter((other) => !isSelected(selection, createKey(other)));
        const [similarName] = findPatternSuggestions(name, others);
        return { kind, name, ...(similarName === undefined ? {} : { similarName }) };
      });
  });
  return {
    excluded: findExcludedFiles(
      project.items.filter(({ key }) => isWithinLimits(key)),
      selection,
    )
      .filter(({ kind }) => kind !== 'viewpoints' || settings.offersViewpoints !== false)
      .map(({ folder, items }) => ({ folder, files: items.length })),
    unknownNames,
  };
}
