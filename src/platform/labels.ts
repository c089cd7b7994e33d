import * as vscode from 'vscode';
import { type Datamodel, getDatamodelTypeLabel } from '../contract/datamodel.ts';
import type { Build } from '../builds/build.ts';

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

const icons: Readonly<Record<Build['phase'], readonly [icon: string, color?: string]>> = {
  running: ['loading~spin'],
  done: ['pass', 'testing.iconPassed'],
  failed: ['error', 'list.errorForeground'],
  cancelled: ['circle-slash'],
  gone: ['question'],
};

/** The icon of a build phase; a text always states the phase too. */
export function getBuildIcon(phase: Build['phase']): vscode.ThemeIcon {
  const [icon, color] = icons[phase];
  return new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
}

/** The icon of a build phase as markup for a text. */
export const getBuildIconMarkup = (phase: Build['phase']): string => `$(${icons[phase][0]})`;
