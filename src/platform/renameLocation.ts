import * as vscode from 'vscode';

/**
 * Returns what the rename input (F2) shows and which range it replaces: the name without its quotes or brackets. If a
 * part of that range is selected, the editor selects the characters at the same places in the box, so both must match.
 * @param range the range of the name, with or without its quotes or brackets
 */
export function createRenameLocation(
  document: vscode.TextDocument,
  range: vscode.Range,
  name: string,
): { readonly range: vscode.Range; readonly placeholder: string } {
  const text = document.getText(range);
  const isQuoted = text !== name && /^(?:".*"|\[.*\]|`.*`)$/s.test(text);
  return {
    range: isQuoted ? new vscode.Range(range.start.translate(0, 1), range.end.translate(0, -1)) : range,
    placeholder: name,
  };
}
