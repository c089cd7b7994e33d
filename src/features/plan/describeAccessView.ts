import * as vscode from 'vscode';
import type { PlannedAccess } from '../../changes/model/plan.ts';
import type { AccessChangesView } from '../../webviews/protocol/planPage.ts';
import { describeAccess } from '../../changes/messages/describeAccess.ts';
import { limitSections, maxAccessItems } from './limitSections.ts';

/** Describes who gains and who loses access, for a page that describes the other parts of a change itself. */
export function describeAccessView(access: PlannedAccess): AccessChangesView {
  const { summary, sections, unchecked } = describeAccess(access, vscode.l10n.t);
  return {
    summary,
    sections: limitSections([
      ...sections.map((section) => ({ ...section, maxItems: maxAccessItems })),
      { title: vscode.l10n.t('Not checked'), tone: 'warning', items: unchecked },
    ]),
  };
}
