import * as vscode from 'vscode';
import { namesGroup, publishViewpoint, shareAsItIsNow } from '../../changes/operations/viewpointActions.ts';
import { type JsonObject, isJsonObject } from '../../base/json.ts';
import type { TreeTarget } from '../../contributions.ts';
import { showInformation } from '../../platform/messages.ts';
import { nearest } from '../../platform/treeTarget.ts';
import { readViewpoint, type ViewpointFields } from '../../viewpoints/form/readViewpoint.ts';
import type { ShareList } from '../../viewpoints/form/viewpointEdit.ts';
import { documentHash } from '../../changes/model/documentHash.ts';
import type { FormsDeps } from './deps.ts';
import {
  identifiable,
  learnPeople,
  type KnownName,
  type KnownNames,
  knownNames,
} from '../../connections/knownNames.ts';
import { pickNames } from './pickNames.ts';

/** Publishes viewpoints of the explorer, or takes them back, one after the other. */
export async function publish(
  deps: FormsDeps,
  nodes: readonly TreeTarget[],
  isPublished: boolean,
): Promise<void> {
  for (const { connectionId, viewpointId, name } of viewpointsOf(nodes)) {
    const operation = publishViewpoint({ connectionId, within: [] }, { viewpointId, name }, isPublished);
    if ((await deps.performer.perform(operation)) === undefined) {
      return;
    }
  }
}

/**
 * Shares a viewpoint with an app and a group or user. The platform takes no visibility that lacks either (spec,
 * "Limits"), so what is missing is asked for together.
 */
export async function share(deps: FormsDeps, node: TreeTarget | undefined): Promise<void> {
  const [viewpoint] = viewpointsOf(node === undefined ? [] : [node]);
  if (viewpoint === undefined) {
    await showInformation(vscode.l10n.t('Choose a viewpoint in the explorer to share it.'));
    return;
  }
  const { connectionId, viewpointId, name } = viewpoint;
  const { client } = await deps.sessions.get(connectionId);
  const { json: document } = await client.viewpoints.get({ viewpointId });
  const current: JsonObject = isJsonObject(document) ? document : {};
  const { apps, groups, users } = readViewpoint(current);
  await learnPeople(deps, connectionId);
  const known = notIn(knownNames(deps, connectionId), { apps, groups, users });
  const kind = await askKind(apps.values.length === 0);
  if (kind === undefined) {
    return;
  }
  const hasParty = groups.values.length + users.values.length > 0;
  const app =
    kind === 'app' || apps.values.length === 0
      ? await askName(deps, 'app', known.apps, connectionId)
      : 'none';
  const partyKind = kind === 'app' ? (hasParty ? undefined : 'group') : kind;
  const party =
    app === undefined || partyKind === undefined
      ? 'none'
      : await askName(
          deps,
          partyKind,
          partyKind === 'group' ? known.groups : identifiable(known.users),
          connectionId,
        );
  if (app === undefined || party === undefined) {
    return;
  }
  // While the lists were open, somebody else may have shared it otherwise: that stays as they left it.
  const ref = { kind: 'viewpoint', viewpointId } as const;
  const { operation, document: latest } = await shareAsItIsNow(
    async () => (await client.viewpoints.get({ viewpointId })).json,
    { connectionId, within: [] },
    { viewpointId, name },
    {
      apps: app === 'none' ? [] : [app.id],
      groups: party !== 'none' && partyKind === 'group' ? [party] : [],
      users: party !== 'none' && partyKind === 'user' ? [party.id] : [],
    },
  );
  await deps.performer.perform(operation, {
    expect: [{ ref, hash: documentHash('viewpoint', latest) }],
  });
}

/** The names that it is not shared with yet. */
function notIn(known: KnownNames, shared: Pick<ViewpointFields, ShareList>): KnownNames {
  const left = (list: ShareList): readonly KnownName[] =>
    known[list].filter((entry) => !namesGroup(shared[list].values, entry));
  return { apps: left('apps'), groups: left('groups'), users: left('users') };
}

type Kind = 'app' | 'group' | 'user';

/** What to share with; where no app has it yet, one is asked for first anyway. */
async function askKind(needsApp: boolean): Promise<Kind | undefined> {
  const kinds: readonly (vscode.QuickPickItem & { readonly type: Kind })[] = [
    { label: vscode.l10n.t('Group…'), iconPath: new vscode.ThemeIcon('organization'), type: 'group' },
    { label: vscode.l10n.t('User…'), iconPath: new vscode.ThemeIcon('person'), type: 'user' },
    { label: vscode.l10n.t('App…'), iconPath: new vscode.ThemeIcon('extensions'), type: 'app' },
  ];
  const chosen = await vscode.window.showQuickPick(kinds, {
    title: vscode.l10n.t('Share Viewpoint'),
    placeHolder: needsApp
      ? vscode.l10n.t('With whom; the app is asked for next')
      : vscode.l10n.t('With whom, or in which app'),
  });
  return chosen?.type;
}

function askName(
  deps: FormsDeps,
  kind: Kind,
  known: readonly KnownName[],
  connectionId: string,
): Promise<KnownName | undefined> {
  const words = {
    app: [
      vscode.l10n.t('Share with App'),
      vscode.l10n.t('An app that was seen on the instance, or its name'),
    ],
    group: [vscode.l10n.t('Share with Group'), vscode.l10n.t('A group: name or ID')],
    user: [vscode.l10n.t('Share with User'), vscode.l10n.t('A user: name, e-mail address or ID')],
  }[kind];
  return pickNames(deps, {
    title: words[0] ?? '',
    placeholder: words[1] ?? '',
    known,
    ...(kind === 'app' ? {} : { party: kind }),
    icon: { app: 'extensions', group: 'organization', user: 'person' }[kind],
    connectionId,
  });
}

const viewpointsOf = (nodes: readonly TreeTarget[]) =>
  nodes.flatMap((node) => {
    const target = nearest(node, 'viewpoint');
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
