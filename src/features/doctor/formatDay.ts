import * as vscode from 'vscode';

/** Formats a date in the language of the editor. */
export const formatDay = (date: Date): string => date.toLocaleDateString(vscode.env.language);
