import { basename } from 'node:path/posix';
import * as vscode from 'vscode';
import { decodeText } from '../../base/decodeText.ts';
import { resolveParty } from '../../connections/resolveParty.ts';
import type { ConnectionTarget } from '../../contributions.ts';
import {
  type MembershipProblem,
  resolveMembers,
  parseMembership,
} from '../../catalog/people/membershipList.ts';
import { showModalQuestion, showError, showInformation } from '../../platform/messages.ts';
import { resolveTargetConnection } from '../../platform/pickConnection.ts';
import type { AccessFeatureDeps } from './deps.ts';

const t = vscode.l10n.t;

/** Enough for more than a million rows; a larger file is not a membership list. */
const maxFileBytes = 64 * 1024 * 1024;

/** The maximum number of problems that are listed; only the number of the others is shown. */
const maxShownProblems = 8;

/**
 * Imports a file that lists the groups of each user, for instances that do not report membership. It replaces the
 * previous import. If a group cannot be resolved, or a user is listed both with a group and with none, the user is
 * asked whether to import only the other users.
 */
export async function importMembership(
  deps: AccessFeatureDeps,
  target: ConnectionTarget | undefined,
): Promise<void> {
  const title = t('Import Group Membership');
  const connection = await resolveTargetConnection(deps, target, {
    title,
    placeholder: t('Select a connection'),
  });
  const uri = connection && (await promptForFile(title));
  if (connection === undefined || uri === undefined) {
    return;
  }
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size > maxFileBytes) {
    await showError(
      t('{0} is too large. The maximum size is {1} MB.', basename(uri.path), maxFileBytes / 1024 / 1024),
    );
    return;
  }
  const { rows, problems: parseProblems } = parseMembership(
    decodeText(await vscode.workspace.fs.readFile(uri)).text,
  );
  if (parseProblems.length > 0) {
    await showError([t('Nothing was imported.'), ...describeProblems(parseProblems)].join(' '));
    return;
  }
  const instance = {
    directory: await deps.userDirectories.get(connection.id),
    client: (await deps.sessions.get(connection.id)).client,
  };
  const groupIdsByName = new Map<string, string>();
  for (const text of new Set(rows.flatMap(({ group }) => (group === '' ? [] : [group])))) {
    const group = await resolveParty(instance, { type: 'group', text });
    if (group.kind === 'found') {
      groupIdsByName.set(text, group.id);
    }
  }
  const { members, problems } = resolveMembers(rows, instance.directory, groupIdsByName);
  if (problems.length > 0) {
    const importOthersLabel = t('Import Others');
    const lines = describeProblems(problems);
    const answer =
      members.length === 0
        ? await showError([t('Nothing was imported.'), ...lines].join(' '))
        : await showModalQuestion(t("Some users can't be imported."), lines, importOthersLabel);
    if (answer !== importOthersLabel) {
      return;
    }
  }
  await deps.memberships.write(connection.id, members);
  await showInformation(
    members.length === 1
      ? t('Imported the groups of 1 user for {0}.', connection.name)
      : t('Imported the groups of {0} users for {1}.', members.length, connection.name),
  );
}

/** Deletes the imported membership list of a connection. */
export async function clearMembership(
  deps: AccessFeatureDeps,
  target: ConnectionTarget | undefined,
): Promise<void> {
  const title = t('Clear Imported Group Membership');
  const connection = await resolveTargetConnection(deps, target, {
    title,
    placeholder: t('Select a connection'),
  });
  if (connection === undefined) {
    return;
  }
  const { length } = await deps.memberships.read(connection.id);
  if (length === 0) {
    await showInformation(t('{0} has no imported group membership.', connection.name));
    return;
  }
  await deps.memberships.clear(connection.id);
  await showInformation(t('Cleared the imported group membership of {0}.', connection.name));
}

async function promptForFile(title: string): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const [uri] =
    (await vscode.window.showOpenDialog({
      title,
      openLabel: t('Import'),
      canSelectMany: false,
      filters: { [t('Tables')]: ['csv', 'tsv', 'txt'] },
      ...(folder === undefined ? {} : { defaultUri: folder }),
    })) ?? [];
  return uri;
}

function describeProblems(problems: readonly MembershipProblem[]): readonly string[] {
  const messages = problems.slice(0, maxShownProblems).map(describeProblem);
  const hiddenCount = problems.length - messages.length;
  return hiddenCount > 0 ? [...messages, t('And {0} more.', hiddenCount)] : messages;
}

function describeProblem({ code, row, args }: MembershipProblem): string {
  const [name = '', nearest] = args;
  const text = getProblemMessage(code, name);
  const message = nearest === undefined ? text : `${text} ${t('Did you mean {0}?', nearest)}`;
  return row === 0 ? message : t('Row {0}: {1}', row, message);
}

function getProblemMessage(code: MembershipProblem['code'], name: string): string {
  switch (code) {
    case 'empty':
      return t('The file is empty. Expected: one row "user,group" for each group of each user.');
    case 'quotes':
      return t('Missing closing quotation mark.');
    case 'user-required':
      return t('Missing user.');
    case 'group-required':
      return t("Missing group for {0}. Leave the cell empty for a user who isn't in any group.", name);
    case 'group-not-found':
      return t('Group not found: {0}.', name);
    case 'group-ambiguous':
      return t('More than one group is named {0}. Use the ID instead.', name);
    case 'contradiction':
      return t('{0} is listed both with and without a group.', name);
  }
}
