import * as vscode from 'vscode';
import { type CompletionItem, type CompletionKind, completionsAt } from '../../sql/language.ts';
import type { SqlRegion, SqlRegions } from './regions.ts';
import { waitForWord } from './waitForWord.ts';
import { describeCompletion } from './messages.ts';

/** The characters that trigger completion. */
export const sqlCompletionTriggers = ['.', '[', '"', '`', '(', ' '] as const;

const completionItemKinds: Readonly<Record<CompletionKind, vscode.CompletionItemKind>> = {
  table: vscode.CompletionItemKind.Class,
  column: vscode.CompletionItemKind.Field,
  alias: vscode.CompletionItemKind.Variable,
  cte: vscode.CompletionItemKind.Module,
  function: vscode.CompletionItemKind.Function,
  keyword: vscode.CompletionItemKind.Keyword,
};

/** Provides completion items in the order that {@link completionsAt} returns. */
export class SqlCompletionProvider implements vscode.CompletionItemProvider {
  readonly #regions: SqlRegions;

  constructor(regions: SqlRegions) {
    this.#regions = regions;
  }

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
    { triggerCharacter }: vscode.CompletionContext,
  ): Promise<vscode.CompletionList | undefined> {
    const lineText = document.lineAt(position).text;
    const positionInRegion = await this.#regions.findRegionAt(document, position);
    if (positionInRegion === undefined || token.isCancellationRequested) {
      return undefined;
    }
    const { region, offset } = positionInRegion;
    const completions = completionsAt(region.text, offset, region.context);
    const items = completions.map((item, index) => toCompletionItem(item, index, region));
    if (triggerCharacter === ' ' && !isUsefulAfterSpace(completions[0])) {
      const hasStartedWord = await waitForWord(document, position, { lineText, token });
      return hasStartedWord ? new vscode.CompletionList(items, true) : undefined;
    }
    // If items replace typed text, the list contains only items that match this text, so the next letter needs a new
    // list.
    const isNarrowed = completions.some(({ start }) => start < offset);
    return new vscode.CompletionList(items, isNarrowed);
  }
}

/**
 * Returns whether completion is useful right after a space: tables after FROM, conditions after ON. Elsewhere, a list
 * of keywords would disturb typing.
 */
const isUsefulAfterSpace = (firstCompletion: CompletionItem | undefined): boolean =>
  firstCompletion !== undefined &&
  (firstCompletion.kind === 'table' || firstCompletion.kind === 'cte' || isJoinCondition(firstCompletion));

/** Returns whether the item is a join condition from a relation of the datamodel. */
const isJoinCondition = ({ kind, label, insertText }: CompletionItem): boolean =>
  kind === 'column' && label.includes(' = ') && insertText.includes(' = ');

function toCompletionItem(
  completion: CompletionItem,
  index: number,
  region: SqlRegion,
): vscode.CompletionItem {
  const { label, insertText, kind, start, end } = completion;
  const detail = describeCompletion(completion);
  // Two conditions may join columns with the same names, so the label is the inserted text.
  const displayLabel = isJoinCondition(completion) ? insertText : label;
  const item = new vscode.CompletionItem(
    detail === undefined ? displayLabel : { label: displayLabel, description: detail },
    completionItemKinds[kind],
  );
  item.range = region.toRange({ start, end });
  item.sortText = String(index).padStart(6, '0');
  item.filterText = getFilterText(completion, region);
  if (insertText.endsWith('()')) {
    item.insertText = new vscode.SnippetString(`${insertText.slice(0, -1)}$0)`);
    item.command = { command: 'editor.action.triggerParameterHints', title: '' };
  } else {
    item.insertText = region.escapeForDocument(insertText);
  }
  return item;
}

/**
 * Returns the text that the editor matches against the text in the item's range, which may include an open quote or
 * `t.*`.
 */
function getFilterText({ label, insertText, start, end }: CompletionItem, region: SqlRegion): string {
  const replacedText = region.text.slice(start, end);
  if (label === '*' && insertText !== '*') {
    return region.escapeForDocument(replacedText);
  }
  // Typed text before a dot is a qualifier (`"o.`) or part of the name (`orders.csv`).
  const typedPrefix = /^.*\./s.exec(replacedText)?.[0] ?? /^["[`]/.exec(replacedText)?.[0] ?? '';
  const isPartOfLabel = label.toLowerCase().startsWith(typedPrefix.toLowerCase().replace(/^["[`]/, ''));
  return region.escapeForDocument(
    (isPartOfLabel ? (/^["[`]/.exec(replacedText)?.[0] ?? '') : typedPrefix) + label,
  );
}
