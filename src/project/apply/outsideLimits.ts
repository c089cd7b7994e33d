import type { PlatformClient } from '../../client/platformClient.ts';
import type { Log } from '../../base/log.ts';
import { getText } from '../../changes/model/jsonMembers.ts';
import type { Project } from '../files/project.ts';
import { type InstanceDocuments, convertInstance } from '../instance/convertInstance.ts';
import { type ItemKey, type ProjectItem, formatItemKey, isRuleKey } from '../item.ts';
import { type ProjectComparison, compareProject } from '../plan/compareProject.ts';
import type { Lock } from '../pull/lock.ts';
import { getViewpointDatamodelTitle } from '../pull/renameItems.ts';
import { type ProjectSettings, type SelectionLimits, createSelection } from '../settings/projectSettings.ts';
import { type InstanceReading, readInstance } from '../source/readInstance.ts';
import type { Selection } from '../source/selection.ts';

/** What viewpoints depend on although the limits of a plan leave it out. */
export interface OutsideLimits {
  /** Rules that the instance doesn't have as the project has them, or may not have, and relations that it lacks. */
  readonly missingItems: readonly ItemKey[];
  /** The rules among `missingItems` that no apply changes: see {@link listKeptRules}. */
  readonly keptRules: readonly ItemKey[];
  readonly documents: Pick<InstanceDocuments, 'datamodels' | 'cubeSets'>;
}

export const nothingOutside: OutsideLimits = {
  missingItems: [],
  keptRules: [],
  documents: { datamodels: [], cubeSets: [] },
};

/** How an instance is read beyond the limits of a plan. */
export interface OutsideReader {
  readonly client: PlatformClient;
  readonly settings: ProjectSettings;
  readonly limits: SelectionLimits;
  readonly signal: AbortSignal;
  readonly log: Log;
}

/**
 * Compares the datamodels and cube sets of the viewpoints that a plan changes, if they are outside its limits. Reads
 * only these, or all that the project manages if the data source of a viewpoint may be a cube set.
 * @throws ApiError
 */
export async function compareOutsideLimits(
  { changes }: Pick<ProjectComparison, 'changes'>,
  {
    project,
    lock,
    reading,
    reader,
  }: {
    readonly project: Project;
    readonly lock: Lock;
    readonly reading: Pick<InstanceReading, 'scope'>;
    readonly reader: OutsideReader;
  },
): Promise<OutsideLimits> {
  const changedNames = new Set(
    changes.flatMap(({ key, action }) =>
      key.kind === 'viewpoint' && action !== 'delete' ? [key.viewpoint] : [],
    ),
  );
  const titles = new Set(
    project.items.flatMap(({ key, content }) =>
      key.kind === 'viewpoint' && changedNames.has(key.viewpoint)
        ? [getText(getViewpointDatamodelTitle(content))]
        : [],
    ),
  );
  const selection = selectOutside(titles, reader, [
    ...reading.scope.listedTitles,
    ...project.items.flatMap(getTitle),
  ]);
  if (selection === undefined) {
    return nothingOutside;
  }
  const outside = await readInstance(reader.client, { ...reader, selection, lock });
  const comparison = compareProject({
    project,
    lock,
    pulled: convertInstance({ ...outside.documents, numberedReferences: lock.numberedReferences }),
    isUnknownOnInstance: outside.isNotRead,
    prunedKinds: new Set(),
  });
  const unknownRules = listUnknownRules(comparison, outside);
  return {
    missingItems: [
      ...comparison.changes
        .filter(({ key, action }) => isRuleKey(key) || (key.kind === 'relation' && action === 'create'))
        .map(({ key }) => key),
      ...unknownRules,
    ],
    keptRules: listKeptRules(comparison, unknownRules),
    documents: outside.documents,
  };
}

/** Returns the selected rules that could not be compared, so they may not be in force. */
export const listUnknownRules = (
  { uncomparedItems }: Pick<ProjectComparison, 'uncomparedItems'>,
  { isSelected }: Pick<InstanceReading, 'isSelected'>,
): readonly ItemKey[] => uncomparedItems.filter((key) => isRuleKey(key) && isSelected(key));

/**
 * Returns the rules of the project that no apply writes, because the instance has a rule on their column for a type of
 * party that isn't known: all rules of the column stay as they are.
 */
export function listKeptRules(
  { notes }: Pick<ProjectComparison, 'notes'>,
  unknownRules: readonly ItemKey[],
): readonly ItemKey[] {
  const kept = new Set(
    notes.filter(({ code }) => code === 'unknown-party-type').map(({ key }) => formatItemKey(key)),
  );
  return unknownRules.filter((key) => kept.has(formatItemKey(key)));
}

const getTitle = ({ key }: ProjectItem): readonly string[] =>
  key.kind === 'datamodel' ? [key.datamodel] : [];

/**
 * Selects the managed datamodels and cube sets outside the limits that may be data sources of the viewpoints;
 * `undefined` if there are none.
 * @param titles the titles of the data sources
 * @param knownTitles the titles of datamodels that the instance or the project has
 */
function selectOutside(
  titles: ReadonlySet<string>,
  { settings, limits }: OutsideReader,
  knownTitles: readonly string[],
): Selection | undefined {
  const [managed, limited] = [createSelection(settings), createSelection(settings, limits)];
  const known = new Set(knownTitles);
  const mayBeCubeSet = [...titles].some((title) => managed.cubeSets.includes(title) || !known.has(title));
  const includesDatamodel = (title: string): boolean =>
    managed.includesDatamodel(title) &&
    !limited.includesDatamodel(title) &&
    (mayBeCubeSet || titles.has(title));
  const cubeSets = managed.cubeSets.filter((name) => !limited.cubeSets.includes(name));
  return titles.size > 0 && (cubeSets.length > 0 || knownTitles.some(includesDatamodel))
    ? {
        includesDatamodel,
        includesViewpoint: () => false,
        hasViewpoints: false,
        cubeSets,
        customData: new Map(),
      }
    : undefined;
}
