export { type CompletionItem, type CompletionKind } from './completion/item.ts';
export { completionsAt } from './completion/complete.ts';
export type { Catalog, CatalogColumn, CatalogRelation, CatalogTable } from './catalog.ts';
export type { ExpressionContext } from './context.ts';
export { type Diagnostic, diagnose, type Severity } from './diagnostics.ts';
export { type CodeAction, codeActionsAt } from './features/codeActions.ts';
export { engineExtent } from './features/engineWords.ts';
export { type Hover, hoverAt } from './features/hover.ts';
export { type Definition, definitionAt, type Reference, referencesAt } from './features/navigation.ts';
export { outputExtent } from './features/outputs.ts';
export { type SignatureHelp, signatureHelpAt } from './features/signature.ts';
export {
  type DocumentSymbol,
  documentSymbols,
  type FoldingRange,
  foldingRanges,
  type SemanticToken,
  type SemanticType,
  semanticTokens,
} from './features/structure.ts';
export { type NameSet, outputNames, type Output, outputsOf } from './features/outputs.ts';
export { type Use, usesOf } from './features/uses.ts';
export { SqlMemory } from './memory.ts';
export { writeName } from './quoting.ts';
export { type DatamodelExpression, referencesInDatamodel, renameInDatamodel } from './rename/datamodel.ts';
export { changedMeanings, type Meaning, type RenameConflict } from './rename/conflicts.ts';
export type { Reading } from './rename/meanings.ts';
export {
  renameIn,
  type RenameRange,
  renameRangeAt,
  renameSymbolAt,
  type SymbolRename,
} from './rename/rename.ts';
export { renamedCatalog } from './rename/renamedCatalog.ts';
export type { RenameTarget } from './rename/target.ts';
export { applyEdits, type TextEdit } from './rename/textEdit.ts';
export { withInferredColumns } from './scope/inferColumns.ts';
