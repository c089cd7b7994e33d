import { jsonEquals } from '../../base/canonicalJson.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import { getSubjectTitle, isCubeSetRuleSubject, type RuleSubject } from '../../catalog/ruleSubject.ts';
import { cubeSetServer } from '../../contract/terms.ts';
import { isServerManagedField } from '../../contract/serverManagedFields.ts';
import {
  computeViewpointDifferences,
  readSharing,
  updateSharing,
} from '../../security/change/viewpointDifference.ts';
import type { Write } from '../model/operation.ts';
import { asObject, getText } from '../model/jsonMembers.ts';
import { mayShowMoreDetails, omitSharing } from '../model/viewpointSteps.ts';

/** A document from before the operation. */
interface DocumentBefore {
  readonly ref: ResourceRef;
  readonly document?: JsonValue | undefined;
}

/**
 * Returns the data sources of the viewpoints that an operation creates, or may show or share more of, by the indices of
 * these writes.
 * @param before the documents from before the operation
 */
export function findShownDatasources(
  writes: readonly Write[],
  before: readonly DocumentBefore[],
): ReadonlyMap<number, JsonObject> {
  const viewpoints = new Map(
    before.flatMap(({ ref, document }) =>
      ref.kind === 'viewpoint' && document !== undefined ? [[ref.viewpointId, asObject(document)]] : [],
    ),
  );
  const datasources = new Map<number, JsonObject>();
  for (const [index, { endpoint, params, body }] of writes.entries()) {
    const members = asObject(body);
    if (endpoint === 'viewpoints.create') {
      datasources.set(index, getDatasource(members));
    } else if (endpoint === 'viewpoints.update') {
      const { viewpointId = '' } = params;
      const current = viewpoints.get(viewpointId);
      const updated = { ...current, ...members };
      viewpoints.set(viewpointId, updated);
      if (mayShowMore(current, members)) {
        datasources.set(index, getDatasource(updated));
      }
    }
  }
  return datasources;
}

const getDatasource = ({ details }: JsonObject): JsonObject => asObject(asObject(details)['datasource']);

/**
 * Returns whether an update of a viewpoint may show more of it, or show it to more people.
 * @param current the viewpoint before the update; `undefined` if it isn't known
 */
function mayShowMore(current: JsonObject | undefined, members: JsonObject): boolean {
  const before = readSharing(current ?? { enabled: true });
  const after = updateSharing(before, members);
  const changedNames = Object.keys(members).filter(
    (name) => current === undefined || !jsonEquals(current[name] ?? null, members[name]),
  );
  if (after.isPublished === false || changedNames.every(isLabel)) {
    return false;
  }
  return (
    current === undefined ||
    changedNames.some((name) => !isLabel(name) && !['details', 'enabled', 'visibility'].includes(name)) ||
    (changedNames.includes('details') && mayShowMoreDetails(current['details'], members['details'])) ||
    computeViewpointDifferences(before, after).some(({ effect }) => effect !== 'loses') ||
    (changedNames.includes('visibility') &&
      !jsonEquals(omitSharing(current['visibility'] ?? null), omitSharing(members['visibility'] ?? null)))
  );
}

/** Returns whether a member of a viewpoint shows nothing of its data. */
const isLabel = (name: string): boolean =>
  name === 'name' || name === 'description' || isServerManagedField(name);

/**
 * Creates a function that returns whether rules may restrict what a viewpoint shows: those of its datamodel, and those
 * of each cube set, whose datamodels the API can't list. If the data source may be a cube set, the rules of any
 * datamodel may restrict it.
 * @param subjects the subjects of all rules
 */
export function createRestrictionCheck(
  datasource: JsonObject,
  subjects: readonly RuleSubject[],
): (subject: RuleSubject) => boolean {
  const title = getText(datasource['title']);
  const isCubeSet = subjects.some(
    (subject) => isCubeSetRuleSubject(subject) && getSubjectTitle(subject) === title,
  );
  return isCubeSet || !isDatamodel(datasource)
    ? () => true
    : (subject) => isCubeSetRuleSubject(subject) || getSubjectTitle(subject) === title;
}

/** Returns whether a data source names a datamodel in the form of rest-api.md, "ViewpointDetails". */
function isDatamodel({ title, fullname, modelType }: JsonObject): boolean {
  const server = getText(fullname).split('/', 1)[0]?.toLowerCase();
  return (
    modelType === 'live' ||
    (modelType === 'external' &&
      server !== cubeSetServer &&
      getText(title) !== '' &&
      getText(fullname).endsWith(`/${getText(title)}`))
  );
}
