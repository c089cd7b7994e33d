import * as vscode from 'vscode';
import { countColumns } from '../../platform/countLabels.ts';
import { type Hover, hoverAt, type SignatureHelp, signatureHelpAt } from '../../sql/language.ts';
import { sqlLanguageId } from './documents.ts';
import type { SqlRegions } from './regions.ts';
import { getKindLabel } from './messages.ts';
import { escapeMarkdownText } from '../../platform/serverText.ts';

/** Describes a name or function on hover. */
export class SqlHoverProvider implements vscode.HoverProvider {
  readonly #regions: SqlRegions;

  constructor(regions: SqlRegions) {
    this.#regions = regions;
  }

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Hover | undefined> {
    const place = await this.#regions.findRegionAt(document, position);
    const found = place && hoverAt(place.region.text, place.offset, place.region.context);
    return found && new vscode.Hover(formatHover(found), place.region.rangeOf(found));
  }
}

/** Formats a hover. Names and texts of a server are escaped, so that none of them becomes markup. */
function formatHover({ kind, title, columns, detail, unverified }: Hover): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  text.appendCodeblock(title, sqlLanguageId);
  const facts = [
    getKindLabel(kind),
    columns === undefined ? undefined : countColumns(columns),
    detail,
    unverified === true ? vscode.l10n.t('unverified: no published page names it') : undefined,
  ];
  return text.appendMarkdown(escapeMarkdownText(facts.filter((fact) => fact !== undefined).join(' · ')));
}

/** Provides the signature of the function at the caret, with the active argument marked. */
export class SqlSignatureHelpProvider implements vscode.SignatureHelpProvider {
  readonly #regions: SqlRegions;

  constructor(regions: SqlRegions) {
    this.#regions = regions;
  }

  async provideSignatureHelp(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.SignatureHelp | undefined> {
    const place = await this.#regions.findRegionAt(document, position);
    const found = place && signatureHelpAt(place.region.text, place.offset, place.region.context);
    return found && toSignatureHelp(found);
  }
}

function toSignatureHelp(found: SignatureHelp): vscode.SignatureHelp {
  const { label, parameters, activeParameter, meaning, unverified } = found;
  const words = unverified
    ? `${meaning} · ${vscode.l10n.t('unverified: no published page names it')}`
    : meaning;
  const signature = new vscode.SignatureInformation(label, words);
  let from = label.indexOf('(') + 1;
  signature.parameters = parameters.map((name) => {
    const start = label.indexOf(name, from);
    from = start + name.length;
    return new vscode.ParameterInformation([start, from]);
  });
  const help = new vscode.SignatureHelp();
  help.signatures = [signature];
  help.activeSignature = 0;
  help.activeParameter = activeParameter;
  return help;
}
