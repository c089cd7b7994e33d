import * as vscode from 'vscode';
import {
  includesIdOrName,
  createPublicationOperation,
  createSharingOperationForCurrentVersion,
} from '../../changes/operations/viewpointActions.ts';
import { type JsonObject, isJsonObject } from '../../base/json.ts';
import type { TreeTarget } from '../../contributions.ts';
import { ensureWritable } from '../../platform/ensureWritable.ts';
import { showInformation } from '../../platform/messages.ts';
import { findNearest } from '../../platform/treeTarget.ts';
import { readViewpoint, type ViewpointFields } from '../../viewpoints/form/readViewpoint.ts';
import type { ShareList } from '../../viewpoints/form/viewpointEdit.ts';
import { hashDocument } from '../../changes/model/documentHash.ts';
import type { FormsDeps } from './deps.ts';
import {
  filterNamesWithId,
  cacheUsersAndGroups,
  type KnownName,
  type KnownNames,
  getKnownNames,
} from '../../connections/knownNames.ts';
import { pickName } from '../../platform/pickName.ts';

/** Publishes or unpublishes viewpoints that were selected in the Connections view; stops if the user cancels one. */
export async function setPublished(
  deps: FormsDeps,
  nodes: readonly TreeTarget[],
  isPublished: boolean,
): Promise<void> {
  for (const { connectionId, viewpointId, name } of getViewpoints(nodes)) {
    const operation = createPublicationOperation(
      { connectionId, within: [] },
      { viewpointId, name },
      isPublished,
    );
    if ((await deps.changeReview.perform(operation)) === undefined) {
      return;
    }
  }
}

/**
 * Shares a viewpoint with a group, user or app. The platform rejects a visibility without an app or without a group or
 * user (rest-api.md, "Limits"), so the user is also asked for the one that is missing.
 */
export async function promptAndShareViewpoint(deps: FormsDeps, node: TreeTarget | undefined): Promise<void> {
  const [viewpoint] = getViewpoints(node === undefined ? [] : [node]);
  if (viewpoint === undefined) {
    await showInformation(vscode.l10n.t('In the Connections view, select a viewpoint to share.'));
    return;
  }
  const { connectionId, viewpointId, name } = viewpoint;
  if (!(await ensureWritable(deps, connectionId))) {
    return;
  }
  const { client } = await deps.sessions.get(connectionId);
  const { json: document } = await client.viewpoints.get({ viewpointId });
  const current: JsonObject = isJsonObject(document) ? document : {};
  const { apps, groups, users } = readViewpoint(current);
  await cacheUsersAndGroups(deps, connectionId);
  const unsharedNames = excludeShared(getKnownNames(deps, connectionId), { apps, groups, users });
  const kind = await pickShareKind(apps.values.length === 0);
  if (kind === undefined) {
    return;
  }
  const hasParty = groups.values.length + users.values.length > 0;
  const app =
    kind === 'app' || apps.values.length === 0
      ? await pickShareName(deps, 'app', unsharedNames.apps, connectionId)
      : 'none';
  const partyKind = kind === 'app' ? (hasParty ? undefined : 'group') : kind;
  const party =
    app === undefined || partyKind === undefined
      ? 'none'
      : await pickShareName(
          deps,
          partyKind,
          partyKind === 'group' ? unsharedNames.groups : filterNamesWithId(unsharedNames.users),
          connectionId,
        );
  if (app === undefined || party === undefined) {
    return;
  }
  // The operation is based on the current version, since another user may have shared the viewpoint in the meantime.
  const ref = { kind: 'viewpoint', viewpointId } as const;
  const { operation, document: latestDocument } = await createSharingOperationForCurrentVersion(
    async () => (await client.viewpoints.get({ viewpointId })).json,
    { connectionId, within: [] },
    { viewpointId, name },
    {
      apps: app === 'none' ? [] : [app.id],
      groups: party !== 'none' && partyKind === 'group' ? [party] : [],
      users: party !== 'none' && partyKind === 'user' ? [party.id] : [],
    },
  );
  await deps.changeReview.perform(operation, {
    expectedVersions: [{ ref, hash: hashDocument('viewpoint', latestDocument) }],
  });
}

/** Returns the names that a viewpoint is not shared with yet. */
function excludeShared(knownNames: KnownNames, sharedLists: Pick<ViewpointFields, ShareList>): KnownNames {
  const getUnshared = (list: ShareList): readonly KnownName[] =>
    knownNames[list].filter((entry) => !includesIdOrName(sharedLists[list].values, entry));
  return { apps: getUnshared('apps'), groups: getUnshared('groups'), users: getUnshared('users') };
}

type ShareKind = 'app' | 'group' | 'user';

/**
 * Asks whether to share with a group, a user or an app.
 * @param needsApp true if the user will be asked for an app even if another kind is picked
 */
async function pickShareKind(needsApp: boolean): Promise<ShareKind | undefined> {
  const kinds: readonly (vscode.QuickPickItem & { readonly type: ShareKind })[] = [
    { label: vscode.l10n.t('Group…'), iconPath: new vscode.ThemeIcon('organization'), type: 'group' },
    { label: vscode.l10n.t('User…'), iconPath: new vscode.ThemeIcon('person'), type: 'user' },
    { label: vscode.l10n.t('App…'), iconPath: new vscode.ThemeIcon('extensions'), type: 'app' },
  ];
  const selectedItem = await vscode.window.showQuickPick(kinds, {
    title: vscode.l10n.t('Share Viewpoint'),
    placeHolder: needsApp
      ? vscode.l10n.t("Select who to share with. If you select a user or group, you'll select an app next.")
      : vscode.l10n.t('Select a user, group, or app to share with'),
  });
  return selectedItem?.type;
}

function pickShareName(
  deps: FormsDeps,
  kind: ShareKind,
  knownNames: readonly KnownName[],
  connectionId: string,
): Promise<KnownName | undefined> {
  const labels = {
    app: [vscode.l10n.t('Share with App'), vscode.l10n.t('Select a known app or enter its name')],
    group: [vscode.l10n.t('Share with Group'), vscode.l10n.t('Group name or ID')],
    user: [vscode.l10n.t('Share with User'), vscode.l10n.t('User name, email address, or ID')],
  }[kind];
  return pickName(deps, {
    title: labels[0] ?? '',
    placeholder: labels[1] ?? '',
    knownNames,
    ...(kind === 'app' ? {} : { party: kind }),
    icon: { app: 'extensions', group: 'organization', user: 'person' }[kind],
    connectionId,
  });
}

const getViewpoints = (nodes: readonly TreeTarget[]) =>
  nodes.flatMap((node) => {
    const target = findNearest(node, 'viewpoint');
    return target === undefined
      ? []
      : [
          {
            connectionId: target.connectionId,
            viewpointId: target.resource.viewpointId,
            name: target.name,
          },
        ];
  });
