import * as vscode from 'vscode';
import { markdownText } from '../../platform/markdownText.ts';

/**
 * A tooltip of a title, a text and facts. What comes from the server is appended as text, so none of it is taken as
 * markup.
 */
export function tooltip(
  title: string,
  facts: readonly (readonly [label: string, value: string | undefined])[],
  text?: string | null,
): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString('**').appendMarkdown(markdownText(title)).appendMarkdown('**');
  if (text) {
    markdown.appendMarkdown('\n\n').appendMarkdown(markdownText(text));
  }
  for (const [label, value] of facts) {
    if (value !== undefined && value !== '') {
      markdown.appendMarkdown('\n\n').appendMarkdown(markdownText(`${label}: ${value}`));
    }
  }
  return markdown;
}

/** A time of the server in the reader's own words; the text as it came when it is no time. */
export function localTime(time: string | null | undefined): string | undefined {
  if (time === null || time === undefined) {
    return undefined;
  }
  const parsed = new Date(time);
  return Number.isNaN(parsed.getTime()) ? time : parsed.toLocaleString(vscode.env.language);
}
