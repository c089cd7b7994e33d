import * as vscode from 'vscode';
import {
  type DocumentSymbol,
  getDocumentSymbols,
  getFoldingRanges,
  getSemanticTokens,
  type SemanticType,
} from '../../sql/language.ts';
import type { SqlRegions } from './regions.ts';

const symbolKinds: Readonly<Record<DocumentSymbol['kind'], vscode.SymbolKind>> = {
  cte: vscode.SymbolKind.Module,
  derived: vscode.SymbolKind.Module,
  select: vscode.SymbolKind.Struct,
  column: vscode.SymbolKind.Field,
};

/** Provides the outline: WITH queries, derived tables and the columns of the result. */
export class SqlDocumentSymbolProvider implements vscode.DocumentSymbolProvider {
  readonly #regions: SqlRegions;

  constructor(regions: SqlRegions) {
    this.#regions = regions;
  }

  async provideDocumentSymbols(document: vscode.TextDocument): Promise<vscode.DocumentSymbol[]> {
    const [region] = await this.#regions.getRegions(document);
    if (region?.isWholeDocument !== true || region.context.kind !== 'table') {
      return [];
    }
    const toSymbol = (symbol: DocumentSymbol): vscode.DocumentSymbol => {
      const { name, kind, start, end, nameStart, nameEnd, children } = symbol;
      const result = new vscode.DocumentSymbol(
        name === '' ? ' ' : name,
        '',
        symbolKinds[kind],
        region.toRange({ start, end: Math.max(end, nameEnd) }),
        region.toRange({ start: Math.max(start, nameStart), end: Math.max(start, nameEnd) }),
      );
      result.children = children.map(toSymbol);
      return result;
    };
    return getDocumentSymbols(region.text, region.context.cache).map(toSymbol);
  }
}

/** Folds subqueries, CASE and comments. */
export class SqlFoldingProvider implements vscode.FoldingRangeProvider {
  readonly #regions: SqlRegions;

  constructor(regions: SqlRegions) {
    this.#regions = regions;
  }

  async provideFoldingRanges(document: vscode.TextDocument): Promise<vscode.FoldingRange[]> {
    const [region] = await this.#regions.getRegions(document);
    if (region?.isWholeDocument !== true) {
      return [];
    }
    return getFoldingRanges(region.text, region.context).map((range) => {
      const { start, end } = region.toRange(range);
      const kind = range.kind === 'comment' ? vscode.FoldingRangeKind.Comment : undefined;
      return new vscode.FoldingRange(start.line, end.line, kind);
    });
  }
}

const tokenTypes: Readonly<Record<SemanticType, string>> = {
  table: 'class',
  cte: 'class',
  alias: 'variable',
  column: 'property',
  function: 'function',
};

export const tokenLegend = new vscode.SemanticTokensLegend(
  [...new Set(Object.values(tokenTypes))],
  ['declaration'],
);

/** Provides semantic tokens for names. */
export class SqlSemanticTokensProvider implements vscode.DocumentSemanticTokensProvider {
  readonly #regions: SqlRegions;
  readonly onDidChangeSemanticTokens: vscode.Event<void>;

  constructor(regions: SqlRegions, onDidChange: vscode.Event<void>) {
    this.#regions = regions;
    this.onDidChangeSemanticTokens = onDidChange;
  }

  async provideDocumentSemanticTokens(document: vscode.TextDocument): Promise<vscode.SemanticTokens> {
    const builder = new vscode.SemanticTokensBuilder(tokenLegend);
    for (const region of await this.#regions.getRegions(document)) {
      for (const { start, end, type, isDeclaration } of getSemanticTokens(region.text, region.context)) {
        const range = region.toRange({ start, end });
        // A token must be on one line; a name with a line break keeps the color of the grammar.
        if (range.isSingleLine && !range.isEmpty) {
          builder.push(range, tokenTypes[type], isDeclaration ? ['declaration'] : []);
        }
      }
    }
    return builder.build();
  }
}
