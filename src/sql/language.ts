export { type CompletionItem, type CompletionKind } from './completion/completionItem.ts';
export { completionsAt } from './completion/complete.ts';
export type { Catalog, CatalogColumn, CatalogRelation, CatalogTable } from './catalog.ts';
export { omitComments } from './comments.ts';
export type { ExpressionContext } from './context.ts';
export { type Diagnostic, diagnose, type DiagnosticSeverity } from './diagnostics.ts';
export { formatSqlProblem } from './formatSqlProblem.ts';
export { type CodeAction, codeActionsAt } from './features/codeActions.ts';
export { findEngineErrorRange, findNameRange, findReportedRange } from './features/engineErrors.ts';
export { type Hover, hoverAt } from './features/hover.ts';
export { type Definition, definitionAt, type Reference, referencesAt } from './features/navigation.ts';
export { findOutputNameRange } from './features/outputColumns.ts';
export { type SignatureHelp, signatureHelpAt } from './features/signatureHelp.ts';
export {
  type DocumentSymbol,
  getDocumentSymbols,
  type FoldingRange,
  getFoldingRanges,
  type SemanticToken,
  type SemanticType,
  getSemanticTokens,
} from './features/structure.ts';
export {
  type NameSet,
  getQueryOutputNames,
  type OutputColumn,
  getOutputColumns,
} from './features/outputColumns.ts';
export { type CatalogUsage, findCatalogUsages } from './features/catalogUsages.ts';
export { SqlParseCache } from './parseCache.ts';
export { formatSqlName } from './quoting.ts';
export {
  type DatamodelExpression,
  findReferencesInDatamodel,
} from './rename/datamodelReferences.ts';
export { findMeaningChanges, type Meaning, type RenameConflict } from './rename/conflicts.ts';
export type { ChangeSide } from './rename/meanings.ts';
export {
  renameIn,
  type RenamableName,
  findRenamableName,
  renameSymbolAt,
  type SymbolRename,
} from './rename/rename.ts';
export { renameInCatalog, renameInContext } from './rename/renameInCatalog.ts';
export { findExpressionConflicts, renameInExpression } from './rename/renameInExpression.ts';
export type { RenameTarget } from './rename/renameTarget.ts';
export { applyEdits, type TextEdit } from '../base/textEdit.ts';
export { withInferredColumns } from './scope/inferColumns.ts';
