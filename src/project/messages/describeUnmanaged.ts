import type { Localize } from '../../base/localize.ts';
import { type UnknownManagedName, type UnmanagedSummary, isEverythingManaged } from '../pull/unmanaged.ts';

/** The maximum number of folders that are listed by name. */
const maxFolders = 5;

/**
 * Describes the files that "manage" excludes, and the names in "manage" that neither the instance nor the project has,
 * in a line each.
 */
export const describeUnmanaged = (
  t: Localize,
  { excluded, unknownNames }: UnmanagedSummary,
): readonly string[] => [
  ...(excluded.length === 0 ? [] : [t('Not managed: {0}', listFolders(t, excluded))]),
  ...unknownNames.map((unknown) => describeUnknownName(t, unknown)),
];

function listFolders(t: Localize, excluded: UnmanagedSummary['excluded']): string {
  const texts = excluded
    .slice(0, maxFolders)
    .map(({ folder, files }) =>
      files === 1 ? t('1 file in {0}', folder) : t('{0} files in {1}', files, folder),
    );
  const moreCount = excluded.length - texts.length;
  return [
    ...texts,
    ...(moreCount === 0
      ? []
      : [moreCount === 1 ? t('and 1 more folder') : t('and {0} more folders', moreCount)]),
  ].join(', ');
}

function describeUnknownName(t: Localize, { kind, name, similarName }: UnknownManagedName): string {
  const text =
    kind === 'datamodel'
      ? t(
          '"manage" in datamodel-studio.json lists the datamodel "{0}", but neither the instance nor the project has it.',
          name,
        )
      : t(
          '"manage" in datamodel-studio.json lists the viewpoint "{0}", but neither the instance nor the project has it.',
          name,
        );
  return similarName === undefined ? text : t('{0} Did you mean "{1}"?', text, similarName);
}

/**
 * Names the part of the project that was compared, for messages that aren't about the whole project; `undefined` for
 * the whole project.
 * @param limitedPart the part that the command was limited to
 */
export const describeComparedPart = (
  t: Localize,
  limitedPart: string | undefined,
  unmanaged: UnmanagedSummary,
): string | undefined =>
  limitedPart ?? (isEverythingManaged(unmanaged) ? undefined : t('the items that "manage" selects'));
