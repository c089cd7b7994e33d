import * as vscode from 'vscode';

/** Formats a date, without the time, in the display language of VS Code. */
export const formatDay = (date: Date): string => date.toLocaleDateString(vscode.env.language);
