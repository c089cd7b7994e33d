import * as vscode from 'vscode';

/** A date as the language of the editor writes it. */
export const localDay = (date: Date): string => date.toLocaleDateString(vscode.env.language);
