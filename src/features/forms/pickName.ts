import * as vscode from 'vscode';
import type { PartyKind } from '../../catalog/people/directory.ts';
import { identifyParty, describeNotIdentified } from '../../platform/identifyParty.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import type { FormsDeps } from './deps.ts';
import type { KnownName } from '../../connections/knownNames.ts';
import { keepOpenOnFocusLoss } from './quickPickOptions.ts';

interface NameItem extends vscode.QuickPickItem {
  readonly known?: KnownName;
  /** The typed text, to be used as the name. */
  readonly typed?: string;
  /** The typed text, to be looked up as a user or group. */
  readonly lookUp?: string;
}

/**
 * Lets the user pick a known name or type another one. Text typed for a user or group is looked up and never used as an
 * ID itself. Returns `undefined` if the user canceled.
 */
export function pickName(
  deps: FormsDeps,
  question: {
    readonly title: string;
    readonly placeholder: string;
    readonly known: readonly KnownName[];
    /** The type of party to look up; absent for names that have no ID. */
    readonly party?: PartyKind;
    readonly icon: string;
    /** The connection on which to look up the party. */
    readonly connectionId: string | undefined;
  },
): Promise<KnownName | undefined> {
  const pick = vscode.window.createQuickPick<NameItem>();
  pick.title = question.title;
  pick.placeholder = question.placeholder;
  pick.matchOnDescription = true;
  pick.ignoreFocusOut = keepOpenOnFocusLoss.ignoreFocusOut;
  const toItem = (known: KnownName): NameItem => ({
    label: toPlainText(known.name),
    ...(known.id === known.name ? {} : { description: toPlainText(known.id) }),
    iconPath: new vscode.ThemeIcon(question.icon),
    known,
  });
  const seen = question.known.map(toItem);
  const updateItems = (): void => {
    const typed = pick.value.trim();
    const isSeen = question.known.some(({ id, name }) => id === typed || name === typed);
    const others: readonly NameItem[] =
      typed === '' || isSeen ? [] : [createTypedItem(typed, question.party)];
    pick.items = [...seen, ...others];
  };
  pick.onDidChangeValue(updateItems);
  updateItems();
  return new Promise((resolve) => {
    const finish = (name: KnownName): void => {
      resolve(name);
      pick.hide();
    };
    const accept = async (item: NameItem | undefined): Promise<void> => {
      if (item?.known !== undefined) {
        finish(item.known);
      } else if (item?.typed !== undefined) {
        finish({ id: item.typed, name: item.typed });
      } else if (item?.lookUp !== undefined) {
        pick.busy = true;
        const found = await findParty(deps, question, item.lookUp);
        pick.busy = false;
        if (typeof found === 'string') {
          pick.title = found;
        } else {
          finish(found);
        }
      }
    };
    pick.onDidAccept(() => void accept(pick.activeItems[0]));
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

function createTypedItem(typed: string, party: PartyKind | undefined): NameItem {
  const name = toPlainText(typed);
  if (party === undefined) {
    const label = vscode.l10n.t('Add "{0}"', name);
    return { label, iconPath: new vscode.ThemeIcon('add'), alwaysShow: true, typed };
  }
  return {
    label:
      party === 'group'
        ? vscode.l10n.t('Look up the group "{0}"', name)
        : vscode.l10n.t('Look up the user "{0}"', name),
    iconPath: new vscode.ThemeIcon('search'),
    alwaysShow: true,
    lookUp: typed,
  };
}

/** Looks up the party for a text; returns a message if it cannot be identified. */
async function findParty(
  deps: FormsDeps,
  {
    connectionId,
    party = 'group',
  }: { readonly connectionId: string | undefined; readonly party?: PartyKind },
  text: string,
): Promise<KnownName | string> {
  if (connectionId === undefined) {
    return vscode.l10n.t('There is no connection to ask.');
  }
  try {
    const wanted = { type: party, text } as const;
    const found = await identifyParty(deps, connectionId, wanted);
    return found.kind === 'found'
      ? { id: found.id, name: found.name }
      : toPlainText(describeNotIdentified(found, wanted));
  } catch (error) {
    return getUserMessage(error);
  }
}
