import * as vscode from 'vscode';
import type { Sessions } from '../../connections/sessions.ts';
import { schemes } from '../../contributions.ts';
import { readDocumentAddress } from '../../documents/documentAddress.ts';
import { getRelationHints } from '../../documents/relationHints.ts';
import { type JsonTrees, getJsonTree } from '../../json/text/jsonTrees.ts';
import { toPlainText } from '../../platform/serverText.ts';

interface HintDeps {
  readonly sessions: Sessions;
  readonly jsonTrees: JsonTrees;
}

/** Registers hints that show the names of tables and columns beside their oids (decisions.md, "Documents"). */
export const registerInlayHints = (deps: HintDeps): vscode.Disposable =>
  vscode.languages.registerInlayHintsProvider(
    { scheme: schemes.document, pattern: '**/*.relation.json' },
    { provideInlayHints: (document, range) => createHints(deps, document, range) },
  );

async function createHints(
  { sessions, jsonTrees }: HintDeps,
  document: vscode.TextDocument,
  range: vscode.Range,
): Promise<vscode.InlayHint[]> {
  const identity = readDocumentAddress(document.uri);
  if (identity?.resource.kind !== 'relation') {
    return [];
  }
  const { catalog } = await sessions.get(identity.connectionId);
  const datamodel = await catalog.datamodel(identity.resource.datamodelId);
  return getRelationHints(getJsonTree(jsonTrees, document), datamodel)
    .map(({ offset, name }) => ({ position: document.positionAt(offset), name }))
    .filter(({ position }) => range.contains(position))
    .map(({ position, name }) => {
      const hint = new vscode.InlayHint(position, toPlainText(name ?? vscode.l10n.t('not found')));
      hint.paddingLeft = true;
      return hint;
    });
}
