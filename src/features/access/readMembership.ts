import * as vscode from 'vscode';
import { findMembership, listRulesForUser } from '../../connections/findMembership.ts';
import type { SubjectTarget } from '../../contributions.ts';
import type { PartyResolution } from '../../catalog/people/directory.ts';
import { describeUnresolvedParty } from '../../platform/resolveTypedParty.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import type { ToAccess } from '../../webviews/protocol/access.ts';
import type { AccessFeatureDeps } from './deps.ts';

type MembershipMessage = Omit<Extract<ToAccess, { type: 'membership' }>, 'type' | 'user'>;

const t = vscode.l10n.t;

/**
 * Reads the groups of a user, and the rules that the server applies to the user. If the groups are unknown, the message
 * explains why, and what the user can do.
 * @param rules all rules of the datamodel or cube set
 * @throws the error of opening the session
 */
export async function readMembership(
  deps: Pick<AccessFeatureDeps, 'sessions' | 'directories'>,
  { connectionId, subject }: Pick<SubjectTarget, 'connectionId' | 'subject'>,
  user: string,
  rules: readonly unknown[],
): Promise<MembershipMessage> {
  const [{ client }, directory] = await Promise.all([
    deps.sessions.get(connectionId),
    deps.directories.get(connectionId),
  ]);
  const membership = await findMembership({ client, directory }, user, { subject, rules });
  const { id, userRules } = membership;
  const isListed = membership.groupIds !== undefined && membership.source !== 'rules';
  const serverRules = userRules ?? (isListed ? await listRulesForUser(client, subject, id) : undefined);
  // An empty list proves nothing, since some servers do not support the request (platform-facts.md, 3.1).
  const appliedRules =
    serverRules === undefined || serverRules.length === 0 ? {} : { appliedRules: serverRules };
  if (membership.groupIds !== undefined) {
    return { id, groupIds: membership.groupIds, source: membership.source, ...appliedRules };
  }
  const problem = deps.directories.getProblem(connectionId);
  const listsAllUsers = directory.listsAll('user');
  return {
    id,
    ...appliedRules,
    note: describeUnknownMembership(membership.resolution, { user, listsAllUsers, problem }),
  };
}

function describeUnknownMembership(
  resolution: PartyResolution,
  {
    user,
    listsAllUsers,
    problem,
  }: { readonly user: string; readonly listsAllUsers: boolean; readonly problem: unknown },
): string {
  switch (resolution.kind) {
    case 'several':
      return describeUnresolvedParty(resolution, { type: 'user', text: user });
    case 'identifier':
      return listsAllUsers
        ? t('User not found. The instance has no user with this ID.')
        : t('No rule uses this ID. Check the spelling.');
    case 'unknown':
      if (resolution.isAbsent) {
        return describeUnresolvedParty(resolution, { type: 'user', text: user });
      }
      return [
        t("No rule uses this name, and the instance doesn't list all its users. Enter the user's ID."),
        ...(resolution.nearest === undefined ? [] : [t('Did you mean {0}?', resolution.nearest)]),
      ].join(' ');
    case 'known':
      return problem === undefined
        ? t("Groups unknown: the instance doesn't report them.")
        : t('Groups unknown: {0}', getUserMessage(problem));
  }
}
