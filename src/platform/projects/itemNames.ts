import * as vscode from 'vscode';
import type { ItemKey } from '../../project/item.ts';
import { formatRelation } from '../../project/messages/pullTexts.ts';

const t = vscode.l10n.t;

/** Returns the name of an item, such as `Orders.Status`. */
export function getItemName(key: ItemKey): string {
  switch (key.kind) {
    case 'datamodel':
      return key.datamodel;
    case 'dataset':
      return key.dataset;
    case 'table':
    case 'tableExpression':
      return key.table;
    case 'columnExpression':
    case 'rules':
    case 'cubeSetRules':
      return `${key.table}.${key.column}`;
    case 'relation':
      return formatRelation(t, key);
    case 'viewpoint':
      return key.viewpoint;
    case 'customData':
      return key.name;
  }
}

/** Describes the kind and the location of an item, since several items may have the same name. */
export function describeItemKind(key: ItemKey): string {
  switch (key.kind) {
    case 'datamodel':
      return t('Datamodel');
    case 'dataset':
      return t('Dataset in {0}', key.datamodel);
    case 'table':
      return t('Table in {0}', key.datamodel);
    case 'tableExpression':
      return t('SQL of a custom table in {0}', key.datamodel);
    case 'columnExpression':
      return t('SQL of a custom column in {0}', key.datamodel);
    case 'relation':
      return t('Relation in {0}', key.datamodel);
    case 'rules':
      return t('Data security rules in {0}', key.datamodel);
    case 'cubeSetRules':
      return t('Data security rules of the cube set {0}', key.cubeSet);
    case 'viewpoint':
      return t('Viewpoint');
    case 'customData':
      return t('Custom data');
  }
}

/** Returns the name of an item with its kind, in one text. */
export const formatItemName = (key: ItemKey): string =>
  t('{0} ({1})', getItemName(key), describeItemKind(key));
