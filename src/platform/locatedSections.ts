import type * as vscode from 'vscode';
import type { PlanSubject } from '../changes/model/plan.ts';
import type { PlanItem, PlanSection } from '../webviews/protocol/planPage.ts';

/** A section of the page Review Changes whose items may open places in files, or resources. */
export interface LocatedSection extends PlanSection {
  readonly items: readonly LocatedItem[];
}

/** An item that may open a place in a file, or the resource of a subject. */
export interface LocatedItem extends PlanItem {
  readonly location?: vscode.Location;
  readonly subject?: PlanSubject;
}
