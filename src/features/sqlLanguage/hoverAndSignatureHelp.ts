import * as vscode from 'vscode';
import { formatMessage } from '../../base/localize.ts';
import { languages } from '../../contributions.ts';
import { formatColumnCount } from '../../platform/countLabels.ts';
import { type Hover, hoverAt, type SignatureHelp, signatureHelpAt } from '../../sql/language.ts';
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
    const positionInRegion = await this.#regions.findRegionAt(document, position);
    const hover =
      positionInRegion &&
      hoverAt(positionInRegion.region.text, positionInRegion.offset, positionInRegion.region.context);
    return hover && new vscode.Hover(formatHover(hover), positionInRegion.region.toRange(hover));
  }
}

/** Formats a hover. Names and texts of a server are escaped, so that they are not rendered as Markdown. */
function formatHover(hover: Hover): vscode.MarkdownString {
  const { kind, title, columnCount, detail, unverified } = hover;
  const text = new vscode.MarkdownString();
  text.appendCodeblock(title, languages.sql);
  const details = [
    getKindLabel(kind),
    columnCount === undefined ? undefined : formatColumnCount(columnCount),
    kind === 'function' && detail !== undefined ? translateMeaning(detail) : detail,
    unverified === true ? vscode.l10n.t('unverified: not found in the published documentation') : undefined,
  ];
  return text.appendMarkdown(escapeMarkdownText(details.filter((entry) => entry !== undefined).join(' · ')));
}

/** Translates what a function does: an English text of the `translatable` tables in `sql/functions`. */
const translateMeaning = (meaning: string): string =>
  formatMessage(vscode.l10n.t, { text: meaning, values: [] });

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
    const positionInRegion = await this.#regions.findRegionAt(document, position);
    const signatureHelp =
      positionInRegion &&
      signatureHelpAt(positionInRegion.region.text, positionInRegion.offset, positionInRegion.region.context);
    return signatureHelp && toSignatureHelp(signatureHelp);
  }
}

function toSignatureHelp(signatureHelp: SignatureHelp): vscode.SignatureHelp {
  const { label, parameters, activeParameter, meaning, unverified } = signatureHelp;
  const translatedMeaning = translateMeaning(meaning);
  const documentation = unverified
    ? `${translatedMeaning} · ${vscode.l10n.t('unverified: not found in the published documentation')}`
    : translatedMeaning;
  const signature = new vscode.SignatureInformation(label, documentation);
  let searchStart = label.indexOf('(') + 1;
  signature.parameters = parameters.map((name) => {
    const start = label.indexOf(name, searchStart);
    searchStart = start + name.length;
    return new vscode.ParameterInformation([start, searchStart]);
  });
  const help = new vscode.SignatureHelp();
  help.signatures = [signature];
  help.activeSignature = 0;
  help.activeParameter = activeParameter;
  return help;
}
