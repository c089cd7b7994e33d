import type { PartyRef } from '../../security/readRules.ts';
import {
  type ViewpointSharing,
  computeViewpointDifferences,
  readNewSharing,
  readSharing,
  updateSharing,
} from '../../security/change/viewpointDifference.ts';
import type { Write } from '../model/operation.ts';
import type { PlannedAccess, ViewpointAccess } from '../model/plan.ts';
import { asObject, getDocumentName, getText } from '../model/jsonMembers.ts';
import type { Documents } from '../model/snapshot.ts';
import type { PlanSources } from './planSources.ts';

interface ViewpointAccessResult {
  readonly viewpoints: readonly ViewpointAccess[];
  /** The names of the users and groups that these viewpoints name, by `type:id`. */
  readonly partyNames: PlannedAccess['partyNames'];
}

/**
 * Computes who gains and who loses viewpoints through their creation, change, and deletion.
 * @param loadUsersAndGroups called only if the sharing of a viewpoint differs
 * @throws ApiError
 */
export async function computeViewpointAccess(
  writes: readonly Write[],
  documents: Documents,
  loadUsersAndGroups: PlanSources['loadUsersAndGroups'],
): Promise<ViewpointAccessResult> {
  const changes = findChangedSharing(writes, documents);
  if (changes.length === 0) {
    return { viewpoints: [], partyNames: new Map() };
  }
  const usersAndGroups = await loadUsersAndGroups();
  const partyNames = new Map<string, string>();
  const identify = (party: PartyRef): PartyRef => {
    const { type, id = '' } = party;
    const resolution = type === 'default' ? undefined : usersAndGroups?.resolve(type, id);
    if (resolution?.kind !== 'known') {
      return party;
    }
    partyNames.set(`${type}:${resolution.id}`, resolution.name);
    return { type, id: resolution.id };
  };
  // Viewpoints refer to groups by name or by ID (rest-api.md, "ViewpointVisibility").
  const identifyParties = (sharing: ViewpointSharing | undefined): ViewpointSharing | undefined =>
    sharing && { ...sharing, parties: sharing.parties.map(identify) };
  const viewpoints = changes.map(({ name, before, after }) => ({
    name,
    differences: computeViewpointDifferences(
      identifyParties(before),
      identifyParties(after),
      (user) => usersAndGroups?.getMembership(user)?.groupIds,
    ),
  }));
  return { viewpoints: viewpoints.filter(({ differences }) => differences.length > 0), partyNames };
}

/** The sharing of a viewpoint before and after an operation; `undefined` where the viewpoint doesn't exist. */
interface ChangedSharing {
  readonly name: string;
  readonly before: ViewpointSharing | undefined;
  readonly after: ViewpointSharing | undefined;
}

/** Returns the sharing of the written viewpoints that someone may gain or lose. */
function findChangedSharing(writes: readonly Write[], documents: Documents): readonly ChangedSharing[] {
  const changes = new Map<string, ChangedSharing>();
  for (const [index, { endpoint, params, body, target }] of writes.entries()) {
    const id = params['viewpointId'] ?? `new:${index}`;
    const members = asObject(body);
    if (endpoint === 'viewpoints.create') {
      changes.set(id, { name: getDocumentName(members), before: undefined, after: readNewSharing(members) });
    } else if (endpoint === 'viewpoints.update' || endpoint === 'viewpoints.delete') {
      const document = asObject(target && documents.get(target));
      const { name, before, after } = changes.get(id) ?? {
        name: getDocumentName(document),
        before: readSharing(document),
        after: readSharing(document),
      };
      changes.set(id, {
        name: getText(members['name']) || name,
        before,
        after: endpoint === 'viewpoints.delete' ? undefined : after && updateSharing(after, members),
      });
    }
  }
  // Checked before users and groups are loaded: with names and memberships, there can only be fewer differences.
  return [...changes.values()].filter(
    ({ before, after }) => computeViewpointDifferences(before, after).length > 0,
  );
}
