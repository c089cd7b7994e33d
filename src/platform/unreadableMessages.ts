import * as vscode from 'vscode';
import type { UnreadableItems, UnreadableItem } from '../contract/partialResult.ts';
import * as words from '../client/words/describeUnreadableItems.ts';
import { toPlainText } from './serverText.ts';

const t = vscode.l10n.t;

/** Describes unreadable items, as plain text for labels and messages of the editor. */
export const getUnreadableMessages = (unreadableItems: UnreadableItems): readonly string[] =>
  words.describeUnreadableItems(t, unreadableItems).map(toPlainText);

/** Describes an unreadable item, as plain text for labels and messages of the editor. */
export const getUnreadableItemMessage = (item: UnreadableItem): string =>
  toPlainText(words.describeUnreadableItem(t, item));
