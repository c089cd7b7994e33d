import * as vscode from 'vscode';
import { type Datamodel, getDatamodelTypeLabel } from '../contract/datamodel.ts';

/** The display name of the type of a datamodel; an unknown type is shown as the server reports it. */
export function formatDatamodelType(datamodel: Pick<Datamodel, 'type'>): string {
  const type = getDatamodelTypeLabel(datamodel);
  switch (type) {
    case 'live':
      return vscode.l10n.t('live');
    case 'extract':
      return vscode.l10n.t('extract');
    default:
      return type;
  }
}
