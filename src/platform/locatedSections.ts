import type * as vscode from 'vscode';
import type { ResourceKind, ResourceRef } from '../catalog/resourceRef.ts';
import type { PlanItem, PlanSection } from '../webviews/protocol/planPage.ts';

/** A section of the page Review Changes whose items may open places in files, or resources. */
export interface LocatedSection extends PlanSection {
  readonly items: readonly LocatedItem[];
}

/** An item that may open a place in a file, or a resource. */
export interface LocatedItem extends PlanItem {
  readonly location?: vscode.Location;
  readonly subject?: LinkedSubject;
}

/** What an item is about. It opens the resource, if there is one. */
interface LinkedSubject {
  readonly kind: ResourceKind;
  readonly name: string;
  /** The names of its containers, outermost first. */
  readonly within: readonly string[];
  readonly resource?: ResourceRef;
}
