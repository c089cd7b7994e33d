import * as vscode from 'vscode';
import type { ResourceKind } from '../catalog/resourceRef.ts';

const t = vscode.l10n.t;

/** The names of the kinds of resources. */
export const resourceKindLabels: Readonly<Record<ResourceKind, () => string>> = {
  datamodel: () => t('Datamodel'),
  dataset: () => t('Dataset'),
  table: () => t('Table'),
  tableExpression: () => t('SQL of a custom table'),
  column: () => t('Column'),
  columnExpression: () => t('SQL of a custom column'),
  relation: () => t('Relation'),
  rules: () => t('Data security rules'),
  columnRules: () => t('Data security rules'),
  rule: () => t('Data security rule'),
  viewpoint: () => t('Viewpoint'),
  customData: () => t('Custom data'),
  customDataObject: () => t('Custom data object'),
  build: () => t('Build'),
};
