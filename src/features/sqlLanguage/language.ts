import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { PickedDatamodels } from '../../catalog/pickedDatamodels.ts';
import { FileOrigins } from '../../documents/fileOrigins.ts';
import { languages, schemes } from '../../contributions.ts';
import { getJsonTree } from '../../json/text/jsonTrees.ts';
import { pickDatamodel } from '../../platform/pickDatamodel.ts';
import { ExpressionChecker } from './expressionChecker.ts';
import { SqlCompletionProvider, sqlCompletionTriggers } from './completion.ts';
import { DatamodelLoader } from './datamodelLoader.ts';
import type { SqlLanguageDeps } from './deps.ts';
import { SqlDiagnostics } from './diagnostics.ts';
import { SqlCodeActionProvider, SqlFormattingProvider } from './codeActionsAndFormatting.ts';
import { SqlFileDatamodels } from './sqlFileDatamodels.ts';
import { SqlNavigationProvider } from './navigation.ts';
import { SqlHoverProvider, SqlSignatureHelpProvider } from './hoverAndSignatureHelp.ts';
import { OpenExpressionLensProvider, openExpressionAtCaret } from './openExpression.ts';
import { SqlRegions } from './regions.ts';
import { SqlRenameProvider } from './renaming.ts';
import { DatamodelStatusItem } from './datamodelStatusItem.ts';
import {
  SqlFoldingProvider,
  SqlDocumentSymbolProvider,
  SqlSemanticTokensProvider,
  tokenLegend,
} from './outlineAndSemanticTokens.ts';

const sqlSelector: vscode.DocumentSelector = [languages.sql, languages.documentSql];
/** Plain SQL, and JSON that contains SQL. */
const sqlOrJsonSelector: vscode.DocumentSelector = [
  ...sqlSelector,
  ...['json', 'jsonc', languages.documentJson].map((language) => ({
    pattern: '**/*.{table,column}.json',
    language,
  })),
];

/** Provides all SQL language features. This module is loaded only with the first SQL document. */
export class SqlLanguage implements Disposable {
  readonly #deps: SqlLanguageDeps;
  readonly #store = new DisposableStore();
  readonly #pickedDatamodels: PickedDatamodels;
  readonly #datamodelLoader: DatamodelLoader;
  readonly #expressionChecker: ExpressionChecker;

  constructor(deps: SqlLanguageDeps) {
    this.#deps = deps;
    this.#pickedDatamodels = this.#store.add(new PickedDatamodels(deps.pickedDatamodelStorage));
    this.#datamodelLoader = this.#store.add(new DatamodelLoader(deps));
    const fileDatamodels = new SqlFileDatamodels(
      this.#pickedDatamodels,
      new FileOrigins(deps.fileOriginStorage),
    );
    const regions = new SqlRegions(deps, this.#datamodelLoader, fileDatamodels);
    this.#expressionChecker = this.#store.add(new ExpressionChecker({ ...deps, regions }));
    const diagnostics = this.#store.add(new SqlDiagnostics({ ...deps, regions }));
    const status = this.#store.add(
      new DatamodelStatusItem({ ...deps, regions, datamodelLoader: this.#datamodelLoader }),
    );
    const changeEmitter = this.#store.add(new vscode.EventEmitter<void>());
    const refreshAll = (): void => {
      diagnostics.refresh();
      status.refresh();
      changeEmitter.fire();
    };
    this.#store.add(this.#datamodelLoader.onDidChange(refreshAll));
    this.#store.add(this.#pickedDatamodels.onDidChange(refreshAll));
    void this.#subscribeToProjects(refreshAll);
    this.#registerProviders({ regions, fileDatamodels, onChange: changeEmitter.event });
  }

  /** Lets the user pick the datamodel of the active file. */
  async pickDatamodel(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const pickedDatamodel = await pickDatamodel(this.#deps, vscode.l10n.t('Datamodel for SQL File'));
    if (pickedDatamodel !== undefined) {
      const { connectionId, datamodelId, title } = pickedDatamodel;
      this.#datamodelLoader.retry(pickedDatamodel);
      this.#pickedDatamodels.pick(editor?.document.uri.toString(), { connectionId, datamodelId, title });
    }
    if (editor !== undefined) {
      // Otherwise the focus would return to the status bar, where the user clicked.
      await vscode.window.showTextDocument(editor.document, editor.viewColumn);
    }
  }

  /** Checks the expression in the active editor with the engine of its sandbox. */
  async checkExpression(): Promise<void> {
    await this.#expressionChecker.check();
  }

  /** Opens the SQL at the caret of the active editor, which shows the JSON of a table. */
  async openExpression(): Promise<void> {
    await openExpressionAtCaret((document) => getJsonTree(this.#deps.jsonTrees, document));
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #subscribeToProjects(refresh: () => void): Promise<void> {
    const catalogs = await this.#deps.loadFileCatalogs();
    if (!this.#store.isDisposed) {
      this.#store.add(catalogs.onDidChange(refresh));
    }
  }

  #registerProviders({
    regions,
    fileDatamodels,
    onChange,
  }: {
    readonly regions: SqlRegions;
    readonly fileDatamodels: SqlFileDatamodels;
    readonly onChange: vscode.Event<void>;
  }): void {
    const navigation = new SqlNavigationProvider(
      regions,
      { fileDatamodels, loadFileCatalogs: this.#deps.loadFileCatalogs },
      this.#deps.connections,
    );
    const completion = new SqlCompletionProvider(regions);
    const registrations = [
      vscode.languages.registerCompletionItemProvider(
        sqlOrJsonSelector,
        completion,
        ...sqlCompletionTriggers,
      ),
      vscode.languages.registerHoverProvider(sqlOrJsonSelector, new SqlHoverProvider(regions)),
      vscode.languages.registerSignatureHelpProvider(
        sqlOrJsonSelector,
        new SqlSignatureHelpProvider(regions),
        '(',
        ',',
      ),
      vscode.languages.registerDefinitionProvider(sqlOrJsonSelector, navigation),
      vscode.languages.registerReferenceProvider(sqlOrJsonSelector, navigation),
      vscode.languages.registerRenameProvider(sqlOrJsonSelector, new SqlRenameProvider(regions)),
      vscode.languages.registerCodeActionsProvider(sqlOrJsonSelector, new SqlCodeActionProvider(regions), {
        providedCodeActionKinds: SqlCodeActionProvider.kinds,
      }),
      vscode.languages.registerDocumentSemanticTokensProvider(
        sqlOrJsonSelector,
        new SqlSemanticTokensProvider(regions, onChange),
        tokenLegend,
      ),
      vscode.languages.registerCodeLensProvider(
        { scheme: schemes.document, pattern: '**/*.table.json' },
        new OpenExpressionLensProvider((document) => getJsonTree(this.#deps.jsonTrees, document)),
      ),
      vscode.languages.registerDocumentSymbolProvider(sqlSelector, new SqlDocumentSymbolProvider(regions)),
      vscode.languages.registerFoldingRangeProvider(sqlSelector, new SqlFoldingProvider(regions)),
      vscode.languages.registerDocumentFormattingEditProvider(
        sqlSelector,
        new SqlFormattingProvider(this.#deps),
      ),
    ];
    for (const registration of registrations) {
      this.#store.add(registration);
    }
  }
}
