import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { PickedDatamodels } from '../../catalog/pickedDatamodels.ts';
import { pickDatamodel } from '../../platform/pickDatamodel.ts';
import { ExpressionCheck } from './checkExpression.ts';
import { SqlCompletion, completionTriggers } from './completion.ts';
import { Datamodels } from './datamodels.ts';
import type { SqlLanguageDeps } from './deps.ts';
import { SqlDiagnostics } from './diagnostics.ts';
import { languageId } from './documents.ts';
import { SqlCodeActions, SqlFormatter } from './editing.ts';
import { SqlNavigation } from './navigation.ts';
import { SqlHover, SqlSignatureHelp } from './reading.ts';
import { SqlRegions } from './regions.ts';
import { SqlRename } from './renaming.ts';
import { DatamodelStatusItem } from './statusItem.ts';
import { SqlFolding, SqlOutline, SqlSemanticTokens, tokenLegend } from './structure.ts';

/** SQL alone, and JSON that holds SQL. */
const anywhere: vscode.DocumentSelector = [
  { language: languageId },
  { pattern: '**/*.{table,column}.json', language: 'json' },
  { pattern: '**/*.{table,column}.json', language: 'jsonc' },
];
const alone: vscode.DocumentSelector = { language: languageId };

/** All help in SQL. A part of its own, so that nobody who opens no SQL loads it. */
export class SqlLanguage implements Disposable {
  readonly #deps: SqlLanguageDeps;
  readonly #store = new DisposableStore();
  readonly #picks: PickedDatamodels;
  readonly #datamodels: Datamodels;
  readonly #check: ExpressionCheck;

  constructor(deps: SqlLanguageDeps) {
    this.#deps = deps;
    this.#picks = this.#store.add(new PickedDatamodels(deps.pickMemory));
    this.#datamodels = this.#store.add(new Datamodels(deps));
    const regions = new SqlRegions(deps.jsonTrees, this.#datamodels, this.#picks);
    this.#check = this.#store.add(new ExpressionCheck({ ...deps, regions }));
    const diagnostics = this.#store.add(new SqlDiagnostics({ ...deps, regions }));
    const status = this.#store.add(
      new DatamodelStatusItem({ ...deps, regions, datamodels: this.#datamodels }),
    );
    const changed = this.#store.add(new vscode.EventEmitter<void>());
    const onChange = (): void => {
      diagnostics.refresh();
      status.refresh();
      changed.fire();
    };
    this.#store.add(this.#datamodels.onDidChange(onChange));
    this.#store.add(this.#picks.onDidChange(onChange));
    this.#register(regions, changed.event);
  }

  /** Lets a person choose the datamodel that the active file is about. */
  async pickDatamodel(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const picked = await pickDatamodel(this.#deps, vscode.l10n.t('Datamodel of the SQL File'));
    if (picked !== undefined) {
      const { connectionId, datamodelId, title } = picked;
      this.#datamodels.retry(picked);
      this.#picks.pick(editor?.document.uri.toString(), { connectionId, datamodelId, title });
    }
    if (editor !== undefined) {
      // The focus would go back to the status bar, where the click was.
      await vscode.window.showTextDocument(editor.document, editor.viewColumn);
    }
  }

  /** Checks the active text on the engine of its sandbox. */
  async checkExpression(): Promise<void> {
    await this.#check.check();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #register(regions: SqlRegions, onChange: vscode.Event<void>): void {
    const { languages } = vscode;
    const navigation = new SqlNavigation(regions, this.#deps.connections);
    const completion = new SqlCompletion(regions);
    const parts = [
      languages.registerCompletionItemProvider(anywhere, completion, ...completionTriggers),
      languages.registerHoverProvider(anywhere, new SqlHover(regions)),
      languages.registerSignatureHelpProvider(anywhere, new SqlSignatureHelp(regions), '(', ','),
      languages.registerDefinitionProvider(anywhere, navigation),
      languages.registerReferenceProvider(anywhere, navigation),
      languages.registerRenameProvider(anywhere, new SqlRename(regions)),
      languages.registerCodeActionsProvider(anywhere, new SqlCodeActions(regions), {
        providedCodeActionKinds: SqlCodeActions.kinds,
      }),
      languages.registerDocumentSemanticTokensProvider(
        anywhere,
        new SqlSemanticTokens(regions, onChange),
        tokenLegend,
      ),
      languages.registerDocumentSymbolProvider(alone, new SqlOutline(regions)),
      languages.registerFoldingRangeProvider(alone, new SqlFolding(regions)),
      languages.registerDocumentFormattingEditProvider(alone, new SqlFormatter(this.#deps)),
    ];
    for (const part of parts) {
      this.#store.add(part);
    }
  }
}
