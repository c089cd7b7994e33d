import * as vscode from 'vscode';
import type { Unread, Unreadable } from '../contract/readable.ts';
import * as words from '../client/words/unreadableWords.ts';
import { plainText } from './serverText.ts';

const t = vscode.l10n.t;

/** As in `words`, fit for labels and messages of the editor. */
export const unreadableWords = (unread: Unread): readonly string[] =>
  words.unreadableWords(t, unread).map(plainText);

/** As in `words`, fit for labels and messages of the editor. */
export const itemWords = (unreadable: Unreadable): string => plainText(words.itemWords(t, unreadable));
