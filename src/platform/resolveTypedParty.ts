import * as vscode from 'vscode';
import type { UserDirectories } from '../connections/userDirectories.ts';
import { type ResolvedParty, resolveParty } from '../connections/resolveParty.ts';
import type { Sessions } from '../connections/sessions.ts';
import type { PartyKind } from '../catalog/people/userDirectory.ts';
import { showModalQuestion, showError } from './messages.ts';

/** The dependencies of resolving a text to a user or group. */
export interface PartyResolverDeps {
  readonly sessions: Pick<Sessions, 'get'>;
  readonly userDirectories: Pick<UserDirectories, 'get'>;
}

/** The ID and the display name of a user or group. */
export interface PartyIdentity {
  readonly id: string;
  readonly name: string;
}

/**
 * Finds the user or group for a text that the user has typed, which is an ID or a name. A group that is in no known
 * list is looked up on the server.
 * @throws ApiError, and the errors of opening a session
 */
export async function resolveTypedParty(
  { sessions, userDirectories }: PartyResolverDeps,
  connectionId: string,
  query: { readonly type: PartyKind; readonly text: string },
): Promise<ResolvedParty> {
  const [{ client }, directory] = await Promise.all([
    sessions.get(connectionId),
    userDirectories.get(connectionId),
  ]);
  return resolveParty({ directory, client }, query, { asksServerIfUnlisted: true });
}

/** The message that explains why a text was not resolved to exactly one user or group. */
export function describeUnresolvedParty(
  unresolved: Exclude<ResolvedParty, { kind: 'found' }>,
  { type, text }: { readonly type: PartyKind; readonly text: string },
): string {
  const t = vscode.l10n.t;
  if (unresolved.kind === 'several') {
    const ids = unresolved.ids.join(', ');
    return type === 'group'
      ? t('{0} groups are named {1}. Enter one of these IDs: {2}', unresolved.ids.length, text, ids)
      : t('{0} users are named {1}. Enter one of these IDs: {2}', unresolved.ids.length, text, ids);
  }
  const problem =
    type === 'group'
      ? t('Group not found: {0}.', text)
      : unresolved.isAbsent
        ? t('User not found: {0}.', text)
        : t("User not found: {0}. Enter the user's ID.", text);
  return unresolved.nearest === undefined
    ? problem
    : `${problem} ${t('Did you mean {0}?', unresolved.nearest)}`;
}

/**
 * Resolves a text like {@link resolveTypedParty}, but reports problems to the user: an unknown name is rejected, and
 * the nearest known name is suggested; an ID that the server does not report is used only after confirmation. Returns
 * `undefined` if no user or group was found or confirmed.
 */
export async function resolvePartyOrAsk(
  deps: PartyResolverDeps,
  connectionId: string,
  query: { readonly type: PartyKind; readonly text: string },
): Promise<PartyIdentity | undefined> {
  const t = vscode.l10n.t;
  const resolution = await resolveTypedParty(deps, connectionId, query);
  if (resolution.kind === 'found') {
    const { id, name, isUnreported } = resolution;
    const useLabel = t('Use Anyway');
    const isConfirmed =
      !isUnreported ||
      (await showModalQuestion(
        query.type === 'group' ? t('Group ID not found: {0}.', id) : t('User ID not found: {0}.', id),
        t("A rule for a user or group that doesn't exist protects nothing."),
        useLabel,
      )) === useLabel;
    return isConfirmed ? { id, name } : undefined;
  }
  const { nearest } = resolution.kind === 'unknown' ? resolution : { nearest: undefined };
  const problem = describeUnresolvedParty(resolution, query);
  if (nearest === undefined) {
    await showError(problem);
    return undefined;
  }
  const useLabel = t('Use {0}', nearest);
  return (await showError(problem, useLabel)) === useLabel
    ? resolvePartyOrAsk(deps, connectionId, { ...query, text: nearest })
    : undefined;
}
