import * as vscode from 'vscode';
import { plainText } from '../../platform/plainText.ts';
import { userMessage } from '../../platform/userErrors.ts';
import type { FormsDeps } from './deps.ts';
import type { KnownName } from '../../connections/knownNames.ts';
import { staysOpen } from './staysOpen.ts';

interface NameItem extends vscode.QuickPickItem {
  readonly known?: KnownName;
  /** Takes what was typed as it stands. */
  readonly typed?: string;
  /** Asks the instance for the group that is called what was typed. */
  readonly lookUp?: string;
}

/**
 * Lets a person choose among names that were seen, or type another; the platform lists none of them, but finds a group
 * by its whole name (spec, "Group lookup record").
 */
export function pickNames(
  deps: FormsDeps,
  question: {
    readonly title: string;
    readonly placeholder: string;
    readonly known: readonly KnownName[];
    readonly canLookUp: boolean;
    readonly icon: string;
    /** Where groups are looked up. */
    readonly connectionId: string | undefined;
  },
): Promise<KnownName | undefined> {
  const pick = vscode.window.createQuickPick<NameItem>();
  pick.title = question.title;
  pick.placeholder = question.placeholder;
  pick.matchOnDescription = true;
  pick.ignoreFocusOut = staysOpen.ignoreFocusOut;
  const seen = question.known.map(
    (known): NameItem => ({
      label: plainText(known.name),
      ...(known.id === known.name ? {} : { description: plainText(known.id) }),
      iconPath: new vscode.ThemeIcon(question.icon),
      known,
    }),
  );
  const offer = (): void => {
    const typed = pick.value.trim();
    const isSeen = question.known.some(({ id, name }) => id === typed || name === typed);
    const others: NameItem[] = [];
    if (typed !== '' && !isSeen) {
      if (question.canLookUp) {
        others.push({
          label: vscode.l10n.t('Look up the group "{0}"', plainText(typed)),
          iconPath: new vscode.ThemeIcon('search'),
          alwaysShow: true,
          lookUp: typed,
        });
      }
      others.push({
        label: vscode.l10n.t('Add "{0}" as it is', plainText(typed)),
        iconPath: new vscode.ThemeIcon('add'),
        alwaysShow: true,
        typed,
      });
    }
    pick.items = [...seen, ...others];
  };
  pick.onDidChangeValue(offer);
  offer();
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
        const found = await lookUp(deps, question.connectionId, item.lookUp);
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

/** The group, or in words why there is none. */
async function lookUp(
  { sessions }: FormsDeps,
  connectionId: string | undefined,
  name: string,
): Promise<KnownName | string> {
  if (connectionId === undefined) {
    return vscode.l10n.t('There is no connection to ask.');
  }
  try {
    const { client, connection } = await sessions.get(connectionId);
    const { value: group } = await client.groups.find(name);
    return group === undefined
      ? vscode.l10n.t('{0} has no group "{1}".', connection.name, plainText(name))
      : { id: group._id, name };
  } catch (error) {
    return userMessage(error);
  }
}
