import { type JsonObject, type JsonValue, getMember, isJsonObject } from '../../base/json.ts';
import type { Write } from '../../changes/model/operation.ts';
import { asObject, getText } from '../../changes/model/jsonMembers.ts';
import {
  createViewpointCreationWrite,
  createViewpointDeletionWrite,
  createViewpointUpdateWrite,
} from '../../changes/model/viewpointWrites.ts';
import {
  type RenameDetails,
  hasCompleteSharing,
  splitViewpointUpdate,
} from '../../changes/model/viewpointSteps.ts';
import type { DirectoryGroup } from '../../catalog/people/userDirectory.ts';
import type { Datamodel } from '../../contract/datamodel.ts';
import { createDatasource } from '../../viewpoints/form/createDatasource.ts';
import { readItems } from '../instance/jsonLists.ts';
import { getViewpointDatamodelTitle } from '../pull/renameItems.ts';
import { type ItemKey, renamedFromMember } from '../item.ts';
import type { ItemChange } from '../compare/itemChange.ts';
import { getRootMemberName } from '../compare/parts.ts';
import { type FileParty, type PartyIds, formatPartyReference } from './partyIds.ts';
import type { ApplyProblem, DeferredChange } from './problems.ts';
import type { ViewpointDeferralCheck } from './viewpointDeferral.ts';

/** The input from which the writes of viewpoints are created. */
export interface ViewpointCompileInput {
  readonly changes: readonly ItemChange[];
  /** The complete documents of the viewpoints on the instance. */
  readonly currentViewpoints: readonly JsonObject[];
  readonly groups: readonly DirectoryGroup[];
  readonly partyIds: PartyIds;
  /** Returns a datamodel that the target has or will have; `undefined` if there is no datamodel with that title. */
  readonly findDatamodel: (title: string) => Pick<Datamodel, 'title' | 'type' | 'server'> | undefined;
  readonly getDeferral: ViewpointDeferralCheck;
  /**
   * Returns whether viewpoints on the datamodel or cube set with this title may show more after some of the writes than
   * before, because rules or data change.
   */
  readonly mayLoosen: (title: string) => boolean;
  readonly renameDetails: RenameDetails;
}

/** The writes of viewpoints. */
export interface CompiledViewpoints {
  /** What takes viewpoints, or what they show, away from users: before rules, relations, and tables change. */
  readonly beforeDataChanges: readonly Write[];
  /** Everything else: after rules, relations, and tables have changed. */
  readonly afterDataChanges: readonly Write[];
  /** Changes that wait for a later apply. The problems of these changes are among `problems` nevertheless. */
  readonly deferred: readonly DeferredChange[];
  readonly problems: readonly ApplyProblem[];
}

/** Creates the writes of created, changed and deleted viewpoints. */
export function compileViewpoints(input: ViewpointCompileInput): CompiledViewpoints {
  const problems: ApplyProblem[] = [];
  const deferred: DeferredChange[] = [];
  const currentByName = new Map(
    input.currentViewpoints.map((viewpoint) => [getText(viewpoint['name']), viewpoint]),
  );
  const first: Write[] = [];
  const last: Write[] = [];
  for (const change of input.changes) {
    const { key, from = key } = change;
    if (key.kind !== 'viewpoint' || from.kind !== 'viewpoint') {
      continue;
    }
    const current = currentByName.get(from.viewpoint);
    const writes = createWrites(change, { ...input, key, current, problems });
    const deferral = input.getDeferral(change, current);
    if (deferral !== undefined) {
      deferred.push({ key, ...deferral });
      if (writes.beforeDataChanges.length > 0) {
        problems.push({ code: 'loses-later', key, name: key.viewpoint });
      }
    } else {
      first.push(...writes.beforeDataChanges);
      last.push(...writes.afterDataChanges);
    }
  }
  return { beforeDataChanges: first, afterDataChanges: last, deferred, problems };
}

interface ViewpointContext extends Omit<ViewpointCompileInput, 'currentViewpoints'> {
  readonly key: Extract<ItemKey, { readonly kind: 'viewpoint' }>;
  readonly current: JsonObject | undefined;
  readonly problems: ApplyProblem[];
}

function createWrites(
  { action, from, parts }: ItemChange,
  context: ViewpointContext,
): Pick<CompiledViewpoints, 'beforeDataChanges' | 'afterDataChanges'> {
  const { key, current = {}, mayLoosen, renameDetails } = context;
  const viewpointId = getText(current['id']);
  if (action === 'create') {
    const { [renamedFromMember]: _former, ...content } = asObject(parts[0]?.after);
    // The description is required (rest-api.md, "POST /infusion/viewpoints").
    const body = convertMembers(publishInVisibility({ description: '', ...content }), context);
    return { beforeDataChanges: [], afterDataChanges: [createViewpointCreationWrite(body)] };
  }
  const isFirst = mayLoosen(getText(getViewpointDatamodelTitle(current)));
  if (action === 'delete') {
    const deletion = [createViewpointDeletionWrite({ viewpointId })];
    return isFirst
      ? { beforeDataChanges: deletion, afterDataChanges: [] }
      : { beforeDataChanges: [], afterDataChanges: deletion };
  }
  const members = Object.fromEntries(
    parts.map(({ pointer, after }) => [getRootMemberName(pointer), after ?? null]),
  );
  const converted = convertMembers(
    { ...members, ...(from === undefined ? {} : { name: key.viewpoint }) },
    context,
  );
  const update = setBothStates(converted, current);
  // The update has the IDs of groups, and the document may have their names.
  const comparable = converted['visibility'] === undefined ? current : withGroupIds(current, context);
  const steps = isFirst
    ? splitViewpointUpdate(comparable, update, renameDetails)
    : { afterDataChanges: update };
  const toWrites = (body: JsonObject | undefined): readonly Write[] =>
    body === undefined ? [] : [createViewpointUpdateWrite({ viewpointId }, body)];
  return {
    beforeDataChanges: toWrites(steps.beforeDataChanges),
    afterDataChanges: toWrites(steps.afterDataChanges),
  };
}

/**
 * Copies `enabled` of a new viewpoint into its visibility if the file has none: the server creates a viewpoint as
 * published only if its visibility says so (rest-api.md, "Viewpoint publication").
 */
function publishInVisibility(content: JsonObject): JsonObject {
  const { enabled, visibility } = content;
  return typeof enabled === 'boolean' && !isJsonObject(visibility)
    ? { ...content, visibility: { apps: [], groups: [], users: [], enabled } }
    : content;
}

/**
 * Copies `enabled` of an update into the visibility of the viewpoint. A server may keep the two states apart, and which
 * one it follows isn't documented (rest-api.md, "Viewpoint publication"). A visibility is replaced as a whole, so it
 * isn't sent if its sharing isn't known completely (rest-api.md, "Limits").
 */
function setBothStates(update: JsonObject, current: JsonObject): JsonObject {
  const { enabled } = update;
  const { visibility } = current;
  return typeof enabled === 'boolean' &&
    update['visibility'] === undefined &&
    isJsonObject(visibility) &&
    hasCompleteSharing(current)
    ? { ...update, visibility: { ...visibility, enabled } }
    : update;
}

/** Replaces the names of groups by IDs, which updates contain (rest-api.md, "ViewpointVisibility": either is valid). */
function withGroupIds(viewpoint: JsonObject, { groups }: ViewpointContext): JsonObject {
  const { visibility } = viewpoint;
  if (!isJsonObject(visibility) || visibility['groups'] === undefined) {
    return viewpoint;
  }
  const toId = (reference: JsonValue): JsonValue => {
    const [group, ...others] = groups.filter(({ name }) => name === reference);
    return group === undefined || others.length > 0 ? reference : group.id;
  };
  return { ...viewpoint, visibility: { ...visibility, groups: readItems(visibility['groups']).map(toId) } };
}

/** Turns the members of a file into those of a request. */
const convertMembers = (members: JsonObject, context: ViewpointContext): JsonObject =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name,
      name === 'visibility'
        ? convertVisibility(value, context)
        : name === 'details'
          ? convertDetails(value, context)
          : // The description is required (rest-api.md, "POST /infusion/viewpoints").
            name === 'description'
            ? (value ?? '')
            : value,
    ]),
  );

function convertVisibility(visibility: JsonValue, { key, partyIds, problems }: ViewpointContext): JsonValue {
  if (!isJsonObject(visibility)) {
    return visibility;
  }
  const toIds = (type: FileParty['type'], list: JsonValue | undefined): readonly JsonValue[] =>
    readItems(list).map((reference) => {
      const found = partyIds.find({ type, reference });
      if ('problem' in found) {
        problems.push({ code: found.problem, key, name: formatPartyReference({ type, reference }) });
        return reference;
      }
      return found.id;
    });
  return {
    ...visibility,
    ...(visibility['groups'] === undefined ? {} : { groups: toIds('group', visibility['groups']) }),
    ...(visibility['users'] === undefined ? {} : { users: toIds('user', visibility['users']) }),
  };
}

/** Adds to the datasource of a viewpoint what identifies its datamodel on the instance. */
function convertDetails(details: JsonValue, context: ViewpointContext): JsonValue {
  const datasource = getMember(details, 'datasource');
  if (!isJsonObject(details) || !isJsonObject(datasource)) {
    return details;
  }
  const { key, current, problems, findDatamodel } = context;
  const title = getText(datasource['title']);
  const currentDatasource = asObject(getMember(current?.['details'], 'datasource'));
  if (currentDatasource['title'] === title && currentDatasource['modelType'] === datasource['modelType']) {
    return { ...details, datasource: { ...currentDatasource, ...datasource } };
  }
  const datamodel = findDatamodel(title);
  if (datamodel === undefined) {
    problems.push({ code: 'missing-datamodel', key, name: title });
    return details;
  }
  return { ...details, datasource: { ...createDatasource(datamodel), ...datasource } };
}
