import * as vscode from 'vscode';

/** A date as the language of the editor writes it. */
export const formatDay = (date: Date): string => date.toLocaleDateString(vscode.env.language);
