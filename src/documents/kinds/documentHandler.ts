import type { PlatformClient } from '../../client/platformClient.ts';
import type { ApiResponse } from '../../client/apiResponse.ts';
import type { JsonValue } from '../../base/json.ts';
import { maskConnectorDocument } from '../../base/secrets/maskSecrets.ts';
import { hashDocument } from '../../changes/model/documentHash.ts';
import type { Write } from '../../changes/model/operation.ts';
import type { ExpectedVersion } from '../../changes/run/runOptions.ts';
import { type OmitPredicate } from '../../base/canonicalJson.ts';
import { isServerManagedField } from '../../contract/serverManagedFields.ts';
import { isNewRuleId } from '../../catalog/newRuleId.ts';
import type { DocumentKindName, DocumentRef } from '../documentAddress.ts';
import { customDataKind } from './customDataKind.ts';
import { datamodelKind } from './datamodelKind.ts';
import { datasetKind } from './datasetKind.ts';
import type { DocumentKindDescriptor, CompletedWrites, DocumentEdit } from './documentKind.ts';
import { columnExpressionKind, tableExpressionKind } from './expressionKinds.ts';
import { relationKind } from './relationKind.ts';
import { newRuleKind } from './newRuleKind.ts';
import { columnRulesKind, ruleKind } from './ruleKinds.ts';
import { tableKind } from './tableKind.ts';
import { viewpointKind } from './viewpointKind.ts';

const kinds: {
  readonly [Kind in DocumentKindName]: DocumentKindDescriptor<Extract<DocumentRef, { kind: Kind }>>;
} = {
  datamodel: datamodelKind,
  dataset: datasetKind,
  table: tableKind,
  tableExpression: tableExpressionKind,
  columnExpression: columnExpressionKind,
  relation: relationKind,
  columnRules: columnRulesKind,
  rule: ruleKind,
  viewpoint: viewpointKind,
  customDataObject: customDataKind,
};

/** The functions of a kind of document, bound to one document. See {@link DocumentKindDescriptor}. */
export interface DocumentHandler {
  readonly language: DocumentKindDescriptor<never>['language'];
  readonly isReadOnly: boolean;
  readonly isServerManaged: OmitPredicate;
  readonly isEditable: (name: string) => boolean;
  readonly sourceKey: string;
  fetch(client: PlatformClient, signal?: AbortSignal): Promise<ApiResponse<unknown>>;
  getVisiblePart(source: JsonValue): JsonValue | undefined;
  /** Returns the versions that a save is based on. The writer checks them before it sends anything. */
  getExpectedVersions(source: JsonValue): readonly ExpectedVersion[];
  /** Returns the name of the resource that a save creates; absent for documents that exist on the server. */
  readonly getCreatedName: ((next: JsonValue) => string) | undefined;
  createWrites(edit: DocumentEdit): readonly Write[];
  applyWrites(completed: CompletedWrites): JsonValue;
}

/** Creates the handler of a document: the functions of its kind, bound to its reference. */
export function createDocumentHandler(ref: DocumentRef): DocumentHandler {
  // `kinds` pairs each kind with its own type of reference, which TypeScript can't infer here.
  const kind = (isNewRule(ref) ? newRuleKind : kinds[ref.kind]) as DocumentKindDescriptor<DocumentRef>;
  return {
    language: kind.language,
    isReadOnly: kind.createWrites === undefined,
    isServerManaged: kind.isServerManaged ?? isServerManagedField,
    isEditable: kind.isEditable ?? (() => true),
    sourceKey: kind.getSourceKey(ref),
    fetch: (client, signal) => kind.fetch(client, ref, signal),
    getVisiblePart: (source) => kind.getVisiblePart(source, ref),
    getExpectedVersions: (source) =>
      kind.getCreatedName === undefined
        ? createExpectedVersions(ref, source, kind.getVisiblePart(source, ref))
        : [],
    getCreatedName: kind.getCreatedName,
    createWrites: (edit) => kind.createWrites?.(ref, edit) ?? [],
    applyWrites: (completed) => kind.applyWrites?.(ref, completed) ?? completed.source,
  };
}

const isNewRule = (ref: DocumentRef): boolean => ref.kind === 'rule' && isNewRuleId(ref.ruleId);

/**
 * Returns the expected version of the document that the writer will read, secrets masked: for an expression its table,
 * for a dataset also the parts that are not shown.
 */
function createExpectedVersions(
  ref: DocumentRef,
  source: JsonValue,
  shownValue: JsonValue | undefined,
): readonly ExpectedVersion[] {
  if (ref.kind === 'dataset') {
    return [{ ref, hash: hashDocument(ref.kind, maskConnectorDocument(source)) }];
  }
  if (ref.kind === 'table' || ref.kind === 'tableExpression' || ref.kind === 'columnExpression') {
    const { datamodelId, datasetId, tableId } = ref;
    return [
      {
        ref: { kind: 'table', datamodelId, datasetId, tableId },
        hash: hashDocument('table', maskConnectorDocument(source)),
      },
    ];
  }
  return [{ ref, hash: hashDocument(ref.kind, shownValue) }];
}
