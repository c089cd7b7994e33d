import * as vscode from 'vscode';
import {
  findSharedViewpoints,
  planPartyReplacement,
  type SubjectPartyChange,
  type UnreadableSubject,
} from '../../changes/bulkRules/replaceParty.ts';
import { getRuleSubject, getSubjectTitle } from '../../catalog/ruleSubject.ts';
import { getCubeSetSubjects } from '../../connections/cubeSetSubjects.ts';
import {
  type KnownName,
  filterNamesWithId,
  getKnownNames,
  cacheUsersAndGroups,
} from '../../connections/knownNames.ts';
import type { ConnectionTarget } from '../../contributions.ts';
import { RuleChangeRefusedError } from '../../changes/rules/ruleTarget.ts';
import { formatRefusedRuleChange } from '../../changes/messages/refusedRuleChange.ts';
import { ensureWritable } from '../../platform/ensureWritable.ts';
import { showInformation } from '../../platform/messages.ts';
import { resolveTargetConnection } from '../../platform/pickConnection.ts';
import { pickName } from '../../platform/pickName.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { getSetting } from '../../platform/settings.ts';
import { getUnreadableMessages } from '../../platform/unreadableMessages.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import { getUnconfirmedCubeSetText } from '../../security/audit/cubeSetText.ts';
import type { SkipReason, UserOrGroup } from '../../security/change/partyReplacement.ts';
import type { PlanItem, PlanSection } from '../../webviews/protocol/planPage.ts';
import type { BulkRulesDeps } from './deps.ts';
import { runSubjectChanges, type SubjectChange } from './runSubjectChanges.ts';

const t = vscode.l10n.t;
const bytesPerKilobyte = 1024;

type NamedParty = UserOrGroup & { readonly name: string };

/**
 * Removes a user or group from all rules of a connection, or replaces it with another one, after a review. A column
 * never loses its last rule.
 */
export async function replaceParty(deps: BulkRulesDeps, target: ConnectionTarget | undefined): Promise<void> {
  const title = t('Replace or Remove User or Group');
  const connection = await resolveTargetConnection(deps, target, {
    title,
    placeholder: t('Select the connection with the rules to change'),
  });
  if (connection === undefined || !(await ensureWritable(deps, connection.id))) {
    return;
  }
  const party = await pickParty(deps, connection.id, title);
  const replacement = party && (await pickReplacement(deps, connection.id, party));
  if (party === undefined || replacement === undefined) {
    return;
  }
  const partyReplacement = { party, replacement: replacement === 'remove' ? undefined : replacement };
  const reviewTitle =
    partyReplacement.replacement === undefined
      ? t('Remove {0} from Rules', party.name)
      : t('Replace {0} with {1} in Rules', party.name, partyReplacement.replacement.name);
  const loadedChanges = await planChanges(deps, connection.id, {
    partyReplacement,
    party,
    title: reviewTitle,
  });
  if (loadedChanges === undefined) {
    return;
  }
  const { subjectChanges, unchangedSections, notSearchedSection } = loadedChanges;
  if (subjectChanges.length === 0 && unchangedSections.length === 0) {
    await showInformation(
      [
        t('No rules or viewpoints in {0} use {1}.', connection.name, party.name),
        t("Cube sets that aren't in the Connections view weren't searched."),
      ].join(' '),
    );
    return;
  }
  await deps.changeReview.reviewOperations({
    title: reviewTitle,
    applyLabel: partyReplacement.replacement === undefined ? t('Remove') : t('Replace'),
    operation: {
      connectionId: connection.id,
      cause: 'bulk',
      subject: { name: party.name, within: [] },
      writes: subjectChanges.flatMap(({ operation }) => operation.writes),
    },
    unchangedSections: [...unchangedSections, notSearchedSection],
    run: () => runSubjectChanges(deps, subjectChanges, reviewTitle),
  });
}

async function pickParty(
  deps: BulkRulesDeps,
  connectionId: string,
  title: string,
  excludedParty?: UserOrGroup,
): Promise<NamedParty | undefined> {
  const kinds = [
    { label: t('User…'), iconPath: new vscode.ThemeIcon('person'), type: 'user' as const },
    { label: t('Group…'), iconPath: new vscode.ThemeIcon('organization'), type: 'group' as const },
  ];
  const kind = await vscode.window.showQuickPick(kinds, { title, placeHolder: t('Select a user or group') });
  if (kind === undefined) {
    return undefined;
  }
  await cacheUsersAndGroups(deps, connectionId);
  const { groups, users } = getKnownNames(deps, connectionId);
  const isGroup = kind.type === 'group';
  const isAllowed = ({ id }: KnownName): boolean =>
    excludedParty?.type !== kind.type || excludedParty.id !== id;
  const pickedName = await pickName(deps, {
    title,
    placeholder: isGroup ? t('Group name or ID') : t('User name, email address, or ID'),
    knownNames: filterNamesWithId(isGroup ? groups : users).filter(isAllowed),
    party: kind.type,
    icon: isGroup ? 'organization' : 'person',
    connectionId,
  });
  return pickedName === undefined || !isAllowed(pickedName)
    ? undefined
    : { type: kind.type, id: pickedName.id, name: pickedName.name };
}

async function pickReplacement(
  deps: BulkRulesDeps,
  connectionId: string,
  party: NamedParty,
): Promise<NamedParty | 'remove' | undefined> {
  const name = toPlainText(party.name);
  const removeItem = { label: t('Remove from All Rules'), iconPath: new vscode.ThemeIcon('trash') };
  const replaceItem = { label: t('Replace with Another…'), iconPath: new vscode.ThemeIcon('arrow-swap') };
  const choice = await vscode.window.showQuickPick([replaceItem, removeItem], { title: name });
  if (choice === undefined || choice === removeItem) {
    return choice && 'remove';
  }
  return pickParty(deps, connectionId, t('Replace {0} With', name), party);
}

/** Plans the changes, and lists what can't be changed and why; `undefined` if the user canceled. */
async function planChanges(
  deps: BulkRulesDeps,
  connectionId: string,
  {
    partyReplacement,
    party,
    title,
  }: {
    readonly partyReplacement: { readonly party: UserOrGroup; readonly replacement: UserOrGroup | undefined };
    readonly party: NamedParty;
    readonly title: string;
  },
): Promise<
  | {
      readonly subjectChanges: readonly SubjectChange[];
      readonly unchangedSections: readonly PlanSection[];
      /** What may have rules that name the party, and was not searched. */
      readonly notSearchedSection: PlanSection;
    }
  | undefined
> {
  const progressOptions = {
    location: vscode.ProgressLocation.Notification,
    title: toPlainText(title),
    cancellable: true,
  };
  return vscode.window.withProgress(progressOptions, async (progress, token) => {
    const abort = new AbortController();
    token.onCancellationRequested(() => abort.abort());
    try {
      const { client, catalog } = await deps.sessions.get(connectionId);
      // Bypasses cached data: somebody else may have created a datamodel in the meantime.
      const datamodels = await catalog.createEmptyCopy().partial.datamodels();
      const cubeSets = getCubeSetSubjects(deps.connections.find(connectionId));
      const subjects = [...datamodels.value.map(getRuleSubject), ...cubeSets];
      const { changes, unreadable } = await planPartyReplacement(client, subjects, partyReplacement, {
        connectionId,
        maxBytes: getSetting('rules.batchSize') * bytesPerKilobyte,
        signal: abort.signal,
        onRead: () => progress.report({ increment: 100 / Math.max(1, subjects.length) }),
      });
      const { subjectChanges, refusedItems } = await separateRefusedChanges(deps, changes, abort.signal);
      const sections = [
        createSection(t('Unchanged'), [...changes.flatMap(describeSkippedColumns), ...refusedItems]),
        createSection(t("Couldn't be read"), [
          ...unreadable.map(describeUnreadable),
          ...getUnreadableMessages(datamodels).map((text) => ({ icon: 'database', text })),
        ]),
        await describeViewpoints(deps, connectionId, { party, signal: abort.signal }),
      ];
      const emptyCubeSets = changes.filter(
        ({ subject, hasRules }) => !hasRules && cubeSets.includes(subject),
      );
      return {
        subjectChanges,
        unchangedSections: sections.filter(({ items }) => items.length > 0),
        notSearchedSection: createNotSearchedSection(emptyCubeSets),
      };
    } catch (error) {
      if (abort.signal.aborted) {
        return undefined;
      }
      throw error;
    }
  });
}

const createSection = (title: string, items: readonly PlanItem[]): PlanSection => ({
  title,
  tone: 'warning',
  count: items.length,
  items,
});

/** Separates the changes that have no safe order of requests. */
async function separateRefusedChanges(
  deps: BulkRulesDeps,
  changes: readonly SubjectPartyChange[],
  signal: AbortSignal,
): Promise<{
  readonly subjectChanges: readonly SubjectChange[];
  readonly refusedItems: readonly PlanItem[];
}> {
  const { writer } = await deps.changeServices();
  const subjectChanges: SubjectChange[] = [];
  const refusedItems: PlanItem[] = [];
  for (const { subject, operation, expectedVersions } of changes) {
    if (operation === undefined) {
      continue;
    }
    const name = getSubjectTitle(subject);
    try {
      await writer.plan(operation, signal);
      subjectChanges.push({ name, operation, expectedVersions });
    } catch (error) {
      if (!(error instanceof RuleChangeRefusedError)) {
        throw error;
      }
      refusedItems.push({ icon: 'database', text: name, detail: formatRefusedRuleChange(t, error) });
    }
  }
  return { subjectChanges, refusedItems };
}

const skipReasonLabels: Readonly<Record<SkipReason, () => string>> = {
  'last-rule': () => t('the only rule on the column: without it, everyone would see all values'),
  'has-rule': () => t('the replacement has a rule with different values'),
  'same-parties': () => t('two rules would apply to the same users and groups'),
  'no-id': () => t("a rule without an ID can't be changed: delete it in the platform's web interface first"),
};

const describeSkippedColumns = ({ subject, skippedColumns }: SubjectPartyChange): readonly PlanItem[] =>
  skippedColumns.map(({ table, column, reason }) => ({
    icon: 'shield',
    text: `${table}.${column}`,
    detail: `${getSubjectTitle(subject)} · ${skipReasonLabels[reason]()}`,
  }));

const describeUnreadable = ({ subject, error }: UnreadableSubject): PlanItem => ({
  icon: 'database',
  text: getSubjectTitle(subject),
  detail: getUserMessage(error),
});

/** Lists the cube sets whose rules are unknown: nothing lists cube sets (decisions.md, "REST client"). */
function createNotSearchedSection(emptyCubeSets: readonly SubjectPartyChange[]): PlanSection {
  const items: readonly PlanItem[] = [
    {
      icon: 'layers',
      text: t("Cube sets that aren't in the Connections view"),
      detail: t(
        'The server has no list of cube sets. Add missing ones with Add Cube Set…, and run this command again.',
      ),
    },
    ...emptyCubeSets.map(({ subject }) => ({
      icon: 'layers',
      text: getSubjectTitle(subject),
      detail: getUnconfirmedCubeSetText(t),
    })),
  ];
  return { title: t('Not searched'), tone: 'plain', count: items.length, items };
}

/** Lists the viewpoints that are shared with the party; the change does not affect them. */
async function describeViewpoints(
  deps: BulkRulesDeps,
  connectionId: string,
  { party, signal }: { readonly party: NamedParty; readonly signal: AbortSignal },
): Promise<PlanSection> {
  const title = t("Viewpoints shared with {0} (sharing isn't changed)", party.name);
  try {
    const { client } = await deps.sessions.get(connectionId);
    const viewpoints = await findSharedViewpoints(client, party, signal);
    return createSection(
      title,
      viewpoints.map(({ name }) => ({ icon: 'eye', text: name })),
    );
  } catch (error) {
    signal.throwIfAborted();
    return createSection(title, [
      { icon: 'question', text: t("Can't read the viewpoints"), detail: getUserMessage(error) },
    ]);
  }
}
