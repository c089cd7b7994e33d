import * as vscode from 'vscode';
import type { PartyKind } from '../catalog/people/userDirectory.ts';
import type { KnownName } from '../connections/knownNames.ts';
import { describeUnresolvedParty, type PartyResolverDeps, resolveTypedParty } from './resolveTypedParty.ts';
import { toPlainText } from './serverText.ts';
import { getUserMessage } from './userErrors.ts';

interface NameItem extends vscode.QuickPickItem {
  readonly knownName?: KnownName;
  /** The typed text, to be used as the name. */
  readonly typedText?: string;
  /** The typed text, to be looked up as a user or group. */
  readonly textToLookUp?: string;
}

/**
 * Lets the user pick a known name or type another one. Text typed for a user or group is looked up and never used as an
 * ID itself. Returns `undefined` if the user canceled.
 */
export function pickName(
  deps: PartyResolverDeps,
  question: {
    readonly title: string;
    readonly placeholder: string;
    readonly knownNames: readonly KnownName[];
    /** The type of party to look up; absent for names that have no ID. */
    readonly party?: PartyKind;
    readonly icon: string;
    /** The connection on which to look up the party. */
    readonly connectionId: string | undefined;
  },
): Promise<KnownName | undefined> {
  const quickPick = vscode.window.createQuickPick<NameItem>();
  quickPick.title = question.title;
  quickPick.placeholder = question.placeholder;
  quickPick.matchOnDescription = true;
  // The page of a form regains the focus between two quick picks, which would close the second one.
  quickPick.ignoreFocusOut = true;
  const toItem = (knownName: KnownName): NameItem => ({
    label: toPlainText(knownName.name),
    ...(knownName.id === knownName.name ? {} : { description: toPlainText(knownName.id) }),
    iconPath: new vscode.ThemeIcon(question.icon),
    knownName,
  });
  const knownItems = question.knownNames.map(toItem);
  const updateItems = (): void => {
    const typedText = quickPick.value.trim();
    const isKnown = question.knownNames.some(({ id, name }) => id === typedText || name === typedText);
    const typedItems: readonly NameItem[] =
      typedText === '' || isKnown ? [] : [createTypedItem(typedText, question.party)];
    quickPick.items = [...knownItems, ...typedItems];
  };
  quickPick.onDidChangeValue(updateItems);
  updateItems();
  return new Promise((resolve) => {
    const finish = (name: KnownName): void => {
      resolve(name);
      quickPick.hide();
    };
    const accept = async (item: NameItem | undefined): Promise<void> => {
      if (item?.knownName !== undefined) {
        finish(item.knownName);
      } else if (item?.typedText !== undefined) {
        finish({ id: item.typedText, name: item.typedText });
      } else if (item?.textToLookUp !== undefined) {
        quickPick.busy = true;
        const result = await findParty(deps, question, item.textToLookUp);
        quickPick.busy = false;
        if (typeof result === 'string') {
          quickPick.title = result;
        } else {
          finish(result);
        }
      }
    };
    quickPick.onDidAccept(() => void accept(quickPick.activeItems[0]));
    quickPick.onDidHide(() => {
      resolve(undefined);
      quickPick.dispose();
    });
    quickPick.show();
  });
}

function createTypedItem(typedText: string, party: PartyKind | undefined): NameItem {
  const name = toPlainText(typedText);
  if (party === undefined) {
    const label = vscode.l10n.t('Add "{0}"', name);
    return { label, iconPath: new vscode.ThemeIcon('add'), alwaysShow: true, typedText };
  }
  return {
    label:
      party === 'group'
        ? vscode.l10n.t('Look up group "{0}"', name)
        : vscode.l10n.t('Look up user "{0}"', name),
    iconPath: new vscode.ThemeIcon('search'),
    alwaysShow: true,
    textToLookUp: typedText,
  };
}

/** Looks up the party for a text; returns a message if it cannot be identified. */
async function findParty(
  deps: PartyResolverDeps,
  {
    connectionId,
    party = 'group',
  }: { readonly connectionId: string | undefined; readonly party?: PartyKind },
  text: string,
): Promise<KnownName | string> {
  if (connectionId === undefined) {
    return vscode.l10n.t('No connection available. Add a connection or start the sandbox.');
  }
  try {
    const query = { type: party, text } as const;
    const resolution = await resolveTypedParty(deps, connectionId, query);
    return resolution.kind === 'found'
      ? { id: resolution.id, name: resolution.name }
      : toPlainText(describeUnresolvedParty(resolution, query));
  } catch (error) {
    return getUserMessage(error);
  }
}
