import { jsonEquals } from '../../base/canonicalJson.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import { asObject, getText, omitMembers } from '../../changes/model/jsonMembers.ts';
import { type RenameDetails, mayShowMoreDetails } from '../../changes/model/viewpointSteps.ts';
import {
  type ViewpointSharing,
  computeViewpointDifferences,
  readSharing,
  updateSharing,
} from '../../security/change/viewpointDifference.ts';
import type { Project } from '../files/project.ts';
import type { InstanceDocuments } from '../instance/convertInstance.ts';
import { readItems } from '../instance/jsonLists.ts';
import type { ItemKey } from '../item.ts';
import type { ItemChange, PartChange } from '../compare/itemChange.ts';
import { getRootMemberName } from '../compare/parts.ts';
import type { Renamer } from '../pull/renames.ts';
import type { DeferredChange } from './problems.ts';
import { createItemRenamer, getViewpointDatamodelTitle } from '../pull/renameItems.ts';

/** What determines which viewpoints have to wait. */
export interface ViewpointDeferralInput {
  /** What the instance lacks after the apply: rules, and what rules may need. */
  readonly missingItems: readonly ItemKey[];
  /** The rules among `missingItems` that no apply changes: see {@link listKeptRules}. */
  readonly keptRules: readonly ItemKey[];
  readonly project: Pick<Project, 'items'>;
  readonly documents: Pick<InstanceDocuments, 'datamodels' | 'cubeSets'>;
  readonly renamer: Renamer;
  /** Returns whether neither the instance nor the project has a datamodel with this title. */
  readonly isUnknownDatamodel: (title: string) => boolean;
}

/**
 * Returns why the change of a viewpoint has to wait, given its document on the instance if it has one; `undefined` if
 * it doesn't.
 */
export type ViewpointDeferralCheck = (
  change: ItemChange,
  current: JsonObject | undefined,
) => Pick<DeferredChange, 'reason' | 'columns'> | undefined;

/**
 * Creates a function that checks whether the change of a viewpoint has to wait for the later apply that completes the
 * rules of its datamodel. Whether a shared viewpoint gives access to data beyond the shares of the datamodel isn't
 * documented (rest-api.md, "Viewpoint publication"), so none is created or shown to more people before the rules
 * restrict the data. Other changes of an existing viewpoint give no one more access.
 */
export function createViewpointDeferral(input: ViewpointDeferralInput): ViewpointDeferralCheck {
  const titles = findTitlesWithMissingRules(input);
  if (titles.size === 0) {
    return () => undefined;
  }
  const mayRead = createSourceCheck(titles, input);
  const mayShowMoreData = createShownDataCheck(input.renamer);
  return (change, current) => {
    const title = getText(getViewpointDatamodelTitle(getContentAfter(change, current)));
    if (!mayRead(title) || !mayShowMore(change, asObject(current), mayShowMoreData)) {
      return undefined;
    }
    const columns = input.keptRules.flatMap((key) =>
      (key.kind === 'rules' && createSourceCheck(new Set([key.datamodel]), input)(title)) ||
      (key.kind === 'cubeSetRules' && createSourceCheck(new Set([key.cubeSet]), input)(title))
        ? [`${key.table}.${key.column}`]
        : [],
    );
    return columns.length === 0 ? { reason: 'rules-first' } : { reason: 'kept-rules', columns };
  };
}

/**
 * Creates a function that returns whether a data source with a title may contain one of the datamodels and cube sets:
 * it may be a cube set, whose datamodels the API can't list.
 */
export function createSourceCheck(
  titles: ReadonlySet<string>,
  {
    project,
    documents,
    isUnknownDatamodel,
  }: Pick<ViewpointDeferralInput, 'project' | 'isUnknownDatamodel'> & {
    readonly documents: Pick<InstanceDocuments, 'cubeSets'>;
  },
): (title: string) => boolean {
  const cubeSets = new Set([
    ...project.items.flatMap(({ key }) => (key.kind === 'cubeSetRules' ? [key.cubeSet] : [])),
    ...documents.cubeSets.map(({ name }) => name),
  ]);
  return (title) =>
    titles.has(title) || (titles.size > 0 && (cubeSets.has(title) || isUnknownDatamodel(title)));
}

/** Creates a function that gives tables and columns in the details of viewpoints the names of the project. */
export function createDetailsRenamer(renamer: Renamer): RenameDetails {
  // Viewpoints contain no SQL, so no tables are needed to find the names in them.
  const renameItem = createItemRenamer(renamer, { items: [] });
  return (details) => {
    const { content } = renameItem({ key: { kind: 'viewpoint', viewpoint: '' }, content: { details } });
    return asObject(content)['details'] ?? null;
  };
}

/**
 * Returns the titles of the datamodels and cube sets whose data the rules don't restrict completely after an apply: if
 * there are any rules, whatever else is left for later may be needed for them to take effect.
 */
function findTitlesWithMissingRules({
  missingItems,
  project,
  documents,
}: ViewpointDeferralInput): ReadonlySet<string> {
  const hasCubeSetRules =
    documents.cubeSets.some(({ rules }) => rules.length > 0) ||
    project.items.some(({ key }) => key.kind === 'cubeSetRules');
  const titlesWithRules = new Set([
    ...project.items.flatMap(({ key }) => (key.kind === 'rules' ? [key.datamodel] : [])),
    ...documents.datamodels.flatMap(({ document, rules }) =>
      rules.length > 0 ? [getText(document['title'])] : [],
    ),
  ]);
  return new Set(
    missingItems.flatMap((key) =>
      key.kind === 'cubeSetRules'
        ? [key.cubeSet]
        : 'datamodel' in key && (hasCubeSetRules || titlesWithRules.has(key.datamodel))
          ? [key.datamodel]
          : [],
    ),
  );
}

/** Returns the content that a viewpoint will have, as far as its data source is concerned. */
const getContentAfter = ({ action, parts }: ItemChange, current: JsonObject | undefined): JsonValue =>
  action === 'create' ? (parts[0]?.after ?? null) : { ...current, ...getMembersAfter(parts) };

/** Returns the members that a change sets, with null for those that it removes. */
export const getMembersAfter = (parts: ItemChange['parts']): JsonObject =>
  Object.fromEntries(parts.map(({ pointer, after }) => [getRootMemberName(pointer), after ?? null]));

/**
 * Returns whether the change of a viewpoint may show more data, or the same data to more people. What isn't documented
 * counts as possible. Changes of the name and description don't count.
 */
function mayShowMore(
  { action, parts }: ItemChange,
  current: JsonObject,
  mayShowMoreData: (part: PartChange) => boolean,
): boolean {
  if (action !== 'update') {
    return action === 'create';
  }
  return mayShareMore(parts, current) || parts.some(mayShowMoreData);
}

/**
 * Returns a function that checks whether a part of the change of a viewpoint may show more to those who see the
 * viewpoint. New names that the apply gives to tables and columns of the datamodel don't count, nor do columns that the
 * change removes.
 */
export function createShownDataCheck(renamer: Renamer): (part: PartChange) => boolean {
  const renameDetails = createDetailsRenamer(renamer);
  return ({ pointer, before = null, after = null }) => {
    switch (getRootMemberName(pointer)) {
      case 'description':
      case 'enabled':
      case 'visibility':
        return false;
      case 'details':
        return mayShowMoreDetails(renameDetails(before), after);
      default:
        return true;
    }
  };
}

/**
 * Returns whether a change may publish a viewpoint, or share it with more apps, users, or groups. Sharing counts even
 * while the viewpoint isn't published.
 */
function mayShareMore(parts: ItemChange['parts'], current: JsonObject): boolean {
  const members = getMembersAfter(parts);
  const { enabled, visibility } = members;
  if (enabled === undefined && visibility === undefined) {
    return false;
  }
  const part = parts.find(({ pointer }) => getRootMemberName(pointer) === 'visibility');
  // Parts have the parties as in the files, and the document has their IDs.
  const visibilityBefore = part === undefined ? (current['visibility'] ?? null) : (part.before ?? null);
  const visibilityAfter = part === undefined ? visibilityBefore : (part.after ?? null);
  const before = readSharing({
    enabled: current['enabled'],
    visibility: withPartyTexts(visibilityBefore),
  });
  const after = updateSharing(before, {
    enabled,
    ...(part === undefined ? {} : { visibility: withPartyTexts(visibilityAfter) }),
  });
  return (
    (after.isPublished !== false && before.isPublished !== true) ||
    computeViewpointDifferences(asPublished(before), asPublished(after)).some(
      ({ effect }) => effect !== 'loses',
    ) ||
    !jsonEquals(omitSharing(visibilityBefore), omitSharing(visibilityAfter))
  );
}

const asPublished = (sharing: ViewpointSharing): ViewpointSharing => ({ ...sharing, isPublished: true });

/** Replaces the parties that a file refers to by a number with texts. */
export const withPartyTexts = (visibility: JsonValue): JsonValue =>
  isJsonObject(visibility)
    ? {
        ...visibility,
        ...Object.fromEntries(
          partyMembers.map((name) => [name, readItems(visibility[name]).map(toReferenceText)]),
        ),
      }
    : visibility;

const toReferenceText = (reference: JsonValue): string =>
  typeof reference === 'string' ? reference : JSON.stringify(reference);

const partyMembers = ['groups', 'users'] as const;

const omitSharing = (visibility: JsonValue): JsonObject =>
  omitMembers(asObject(visibility), 'apps', 'enabled', ...partyMembers);
