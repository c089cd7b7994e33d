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

/** Provides completion items in the order of the language core. */
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
    const line = document.lineAt(position).text;
    const place = await this.#regions.findRegionAt(document, position);
    if (place === undefined || token.isCancellationRequested) {
      return undefined;
    }
    const { region, offset } = place;
    const found = completionsAt(region.text, offset, region.context);
    const items = found.map((item, index) => toCompletionItem(item, index, region));
    if (triggerCharacter === ' ' && !isRequiredHere(found[0])) {
      const isWordBegun = await waitForWord(document, position, { line, token });
      return isWordBegun ? new vscode.CompletionList(items, true) : undefined;
    }
    // Items that replace typed text were filtered by it, so the next letter needs a new list.
    const isNarrowed = found.some(({ start }) => start < offset);
    return new vscode.CompletionList(items, isNarrowed);
  }
}

/**
 * Returns whether completion is useful right after a space: tables after FROM, conditions after ON. Elsewhere, a list
 * of keywords would disturb typing.
 */
const isRequiredHere = (best: CompletionItem | undefined): boolean =>
  best !== undefined && (best.kind === 'table' || best.kind === 'cte' || isJoinCondition(best));

/** Returns whether the item is a join condition from a relation of the datamodel. */
const isJoinCondition = ({ kind, label, insertText }: CompletionItem): boolean =>
  kind === 'column' && label.includes(' = ') && insertText.includes(' = ');

function toCompletionItem(found: CompletionItem, index: number, region: SqlRegion): vscode.CompletionItem {
  const { label, insertText, kind, start, end } = found;
  const detail = describeCompletion(found);
  // Two conditions may join columns with the same names, so the label is the inserted text.
  const shown = isJoinCondition(found) ? insertText : label;
  const item = new vscode.CompletionItem(
    detail === undefined ? shown : { label: shown, description: detail },
    completionItemKinds[kind],
  );
  item.range = region.rangeOf({ start, end });
  item.sortText = String(index).padStart(6, '0');
  item.filterText = getFilterText(found, region);
  if (insertText.endsWith('()')) {
    item.insertText = new vscode.SnippetString(`${insertText.slice(0, -1)}$0)`);
    item.command = { command: 'editor.action.triggerParameterHints', title: '' };
  } else {
    item.insertText = region.written(insertText);
  }
  return item;
}

/**
 * Returns the text that the editor matches against the text in the item's range, which may include an open quote or
 * `t.*`.
 */
function getFilterText({ label, insertText, start, end }: CompletionItem, region: SqlRegion): string {
  const replaced = region.text.slice(start, end);
  if (label === '*' && insertText !== '*') {
    return region.written(replaced);
  }
  // Typed text before a dot is a qualifier (`"o.`) or part of the name (`orders.csv`).
  const typed = /^.*\./s.exec(replaced)?.[0] ?? /^["[`]/.exec(replaced)?.[0] ?? '';
  const isPart = label.toLowerCase().startsWith(typed.toLowerCase().replace(/^["[`]/, ''));
  return region.written((isPart ? (/^["[`]/.exec(replaced)?.[0] ?? '') : typed) + label);
}
