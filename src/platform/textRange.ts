import * as vscode from 'vscode';
import type { LineOffsets } from '../base/lineOffsets.ts';

/** Converts offsets in a text that is not open as a document to a range. */
export const toTextRange = (
  lines: LineOffsets,
  { start, end }: { readonly start: number; readonly end: number },
): vscode.Range => new vscode.Range(toTextPosition(lines, start), toTextPosition(lines, end));

function toTextPosition(lines: LineOffsets, offset: number): vscode.Position {
  const { line, character } = lines.positionAt(offset);
  return new vscode.Position(line, character);
}
