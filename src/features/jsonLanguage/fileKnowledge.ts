import { type NamedDatamodel, mergeNames } from '../../catalog/namedDatamodels.ts';
import type { KnownParty } from '../../catalog/people/userDirectory.ts';
import type { LanguageContext, NamedEntity } from '../../json/language/languageContext.ts';
import type { JsonDocumentKind } from '../../json/language/documentKind.ts';
import type { FileCatalog } from '../../platform/projects/fileCatalog.ts';
import type { ProjectFile } from '../../platform/projects/fileCatalogs.ts';
import type { ProjectNameLists } from '../../project/language/languageCalls.ts';
import { createColumnId } from '../../project/language/nameIds.ts';

/** The names that the files of a project provide for a document with rules or a viewpoint. */
export interface FileKnowledge {
  readonly namedDatamodel: NamedDatamodel;
  readonly projectNames: ProjectNameLists;
}

/** Reads the names for a document; `undefined` if the files don't contain its datamodel. */
export async function readFileKnowledge(
  { catalog, path }: ProjectFile,
  kind: JsonDocumentKind,
  titleInDocument: string | undefined,
): Promise<FileKnowledge | undefined> {
  const { key, datamodel } = await catalog.getFileContext(path);
  const title = kind === 'viewpoint' ? titleInDocument : datamodel;
  const projectNames = await catalog.getProjectNames();
  const namedDatamodel =
    key?.kind === 'cubeSetRules'
      ? await mergeExtractDatamodels(catalog, projectNames)
      : title === undefined
        ? undefined
        : await catalog.getDatamodel(title);
  return namedDatamodel && { namedDatamodel, projectNames };
}

/** Cached results of a merge by its first source. A loaded datamodel is the same object until it changes. */
const mergedDatamodels = new WeakMap<
  NamedDatamodel,
  { readonly sources: readonly NamedDatamodel[]; readonly merged: NamedDatamodel }
>();

/** Returns the names that rules of a cube set may use: those of all extract datamodels of the project. */
async function mergeExtractDatamodels(
  catalog: FileCatalog,
  { datamodels }: ProjectNameLists,
): Promise<NamedDatamodel | undefined> {
  const extractDatamodels = await Promise.all(
    datamodels.filter(({ isLive }) => !isLive).map(({ title }) => catalog.getDatamodel(title)),
  );
  const sources = extractDatamodels.filter((datamodel) => datamodel !== undefined);
  const [first] = sources;
  if (first === undefined) {
    return undefined;
  }
  const cached = mergedDatamodels.get(first);
  if (
    cached?.sources.length === sources.length &&
    cached.sources.every((source, index) => source === sources[index])
  ) {
    return cached.merged;
  }
  const datasets = sources.flatMap(({ datamodel }) => datamodel.datasets ?? []);
  const merged: NamedDatamodel = {
    datamodel: { ...first.datamodel, datasets, relations: [] },
    // The instance may have further datamodels.
    catalog: { ...mergeNames(sources), complete: false },
  };
  mergedDatamodels.set(first, { sources, merged });
  return merged;
}

/**
 * Returns the names that the project uses, followed by those of the connection. Files refer to users and groups by
 * name, so the names take the place of IDs.
 */
export function createInstanceNames(
  { apps, groups, users, members, datamodels }: ProjectNameLists,
  directory: { getParties(type: 'group' | 'user'): readonly KnownParty[] } | undefined,
): LanguageContext['instanceNames'] {
  const listParties = (type: 'group' | 'user', used: readonly string[]): readonly NamedEntity[] =>
    [...new Set([...used, ...(directory?.getParties(type) ?? []).map(({ name }) => name)])].map((value) => ({
      value,
      isId: true,
    }));
  return {
    apps: apps.map((value) => ({ value })),
    groups: listParties('group', groups),
    users: listParties('user', users),
    datamodels: datamodels.map(({ title, isLive }) => ({ title, isLive, server: '' })),
    getMembers: (table, column) => members.get(createColumnId(table, column)) ?? [],
  };
}

/** Adds the datamodels, apps, and values of the instance to the names that a project uses. */
export function addInstanceNames(
  names: LanguageContext['instanceNames'],
  instanceNames: LanguageContext['instanceNames'],
): LanguageContext['instanceNames'] {
  const titles = new Set(names.datamodels.map(({ title }) => title));
  const apps = new Set(names.apps.map(({ value }) => value));
  return {
    ...names,
    datamodels: [...names.datamodels, ...instanceNames.datamodels.filter(({ title }) => !titles.has(title))],
    apps: [...names.apps, ...instanceNames.apps.filter(({ value }) => !apps.has(value))],
    getMembers: (table, column) => [
      ...new Set([...names.getMembers(table, column), ...instanceNames.getMembers(table, column)]),
    ],
  };
}
