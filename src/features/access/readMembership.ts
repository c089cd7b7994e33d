import * as vscode from 'vscode';
import { findMembership, listRulesForUser } from '../../connections/findMembership.ts';
import type { SubjectTarget } from '../../contributions.ts';
import type { PartyResolution } from '../../catalog/people/userDirectory.ts';
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
  deps: Pick<AccessFeatureDeps, 'sessions' | 'userDirectories'>,
  { connectionId, subject }: Pick<SubjectTarget, 'connectionId' | 'subject'>,
  user: string,
  rules: readonly unknown[],
): Promise<MembershipMessage> {
  const [{ client }, directory] = await Promise.all([
    deps.sessions.get(connectionId),
    deps.userDirectories.get(connectionId),
  ]);
  const membership = await findMembership({ client, directory }, user, { subject, rules });
  const { id, userRules } = membership;
  const isInUserList = membership.groupIds !== undefined && membership.source !== 'rules';
  const serverRules = userRules ?? (isInUserList ? await listRulesForUser(client, subject, id) : undefined);
  // An empty list proves nothing, since some servers do not support the request (platform-facts.md, 3.1).
  const appliedRules =
    serverRules === undefined || serverRules.length === 0 ? {} : { appliedRules: serverRules };
  if (membership.groupIds !== undefined) {
    return { id, groupIds: membership.groupIds, source: membership.source, ...appliedRules };
  }
  const problem = deps.userDirectories.getProblem(connectionId);
  const listsAllUsers = directory.listsAll('user');
  return {
    id,
    ...appliedRules,
    ...describeUnknownMembership(membership.resolution, { user, listsAllUsers, problem }),
  };
}

/** Explains that a text is no user, or not exactly one, and suggests a similar name. */
export function describeUnidentifiedUser(
  resolution: Extract<PartyResolution, { kind: 'several' | 'unknown' }>,
  user: string,
): Pick<MembershipMessage, 'note' | 'isUnidentified' | 'suggestion'> {
  const mayExist = resolution.kind === 'unknown' && !resolution.isAbsent;
  const nearest = resolution.kind === 'unknown' ? resolution.nearest : undefined;
  return {
    isUnidentified: true,
    note: mayExist
      ? [
          t("No rule uses this name, and the instance doesn't list all its users. Enter the user's ID."),
          ...(nearest === undefined ? [] : [t('Did you mean {0}?', nearest)]),
        ].join(' ')
      : describeUnresolvedParty(resolution, { type: 'user', text: user }),
    ...(nearest === undefined ? {} : { suggestion: nearest }),
  };
}

function describeUnknownMembership(
  resolution: PartyResolution,
  {
    user,
    listsAllUsers,
    problem,
  }: { readonly user: string; readonly listsAllUsers: boolean; readonly problem: unknown },
): Pick<MembershipMessage, 'note' | 'isUnidentified' | 'suggestion'> {
  switch (resolution.kind) {
    case 'several':
    case 'unknown':
      return describeUnidentifiedUser(resolution, user);
    case 'identifier':
      return listsAllUsers
        ? { note: t('User not found. The instance has no user with this ID.'), isUnidentified: true }
        : { note: t('No rule uses this ID. Check the spelling.') };
    case 'known':
      return {
        note:
          problem === undefined
            ? t("Groups unknown: the instance doesn't report them.")
            : t('Groups unknown: {0}', getUserMessage(problem)),
      };
  }
}
