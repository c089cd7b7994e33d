import * as vscode from 'vscode';
import type { UnreadableItems, UnreadableItem } from '../contract/partialResult.ts';
import {
  describeUnreadableItem,
  describeUnreadableItems,
} from '../client/messages/describeUnreadableItems.ts';
import { toPlainText } from './serverText.ts';

const t = vscode.l10n.t;

/** Describes unreadable items, as plain text for labels and messages of the editor. */
export const getUnreadableMessages = (unreadableItems: UnreadableItems): readonly string[] =>
  describeUnreadableItems(t, unreadableItems).map(toPlainText);

/** Describes an unreadable item, as plain text for labels and messages of the editor. */
export const getUnreadableItemMessage = (item: UnreadableItem): string =>
  toPlainText(describeUnreadableItem(t, item));
