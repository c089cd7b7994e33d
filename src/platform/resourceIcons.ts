import type { ResourceKind } from '../catalog/resourceRef.ts';

/** The names of the icons that represent resources, the same in all lists. */
export const resourceIcons: Readonly<Record<ResourceKind, string>> = {
  datamodel: 'database',
  dataset: 'folder-library',
  table: 'table',
  tableExpression: 'code',
  column: 'symbol-field',
  columnExpression: 'code',
  relation: 'link',
  rules: 'shield',
  columnRules: 'shield',
  rule: 'shield',
  viewpoint: 'eye',
  customData: 'json',
  customDataObject: 'json',
  build: 'tools',
};
