import * as vscode from 'vscode';
import type { StoppedDocuments } from '../changes/journal/stoppedDocuments.ts';
import type { WrittenDocument } from '../changes/journal/writtenDocuments.ts';
import type { PlanItem, PlanSection } from '../webviews/protocol/planPage.ts';
import { resourceIcons } from './resourceIcons.ts';
import { resourceKindLabels } from './resourceKindLabels.ts';

const t = vscode.l10n.t;

/** The maximum number of documents that a message names, and that a section of a page lists. */
const [maxNames, maxItems] = [5, 100];

/**
 * Lists how far a stopped change got: the documents whose writes have failed, have an unknown outcome, are done, or
 * were not sent. Empty lists are left out.
 */
export const createStoppedSections = ({
  failed,
  unresolved,
  written,
  partial,
  remaining,
}: StoppedDocuments): readonly PlanSection[] =>
  [
    createSection(t('Failed'), 'error', failed),
    createSection(t('Outcome unknown'), 'warning', unresolved),
    createWrittenSection(written),
    createSection(t('Might be written in part'), 'warning', partial),
    createSection(t('Not written'), 'plain', remaining),
  ].filter(({ count }) => count > 0);

/** Lists what an interrupted change has written so far. */
export const createWrittenSection = (written: readonly WrittenDocument[]): PlanSection =>
  createSection(t('Already written'), 'plain', written);

const createSection = (
  title: string,
  tone: PlanSection['tone'],
  documents: readonly WrittenDocument[],
): PlanSection => ({
  title,
  tone,
  count: documents.length,
  items: [
    ...documents.slice(0, maxItems).map(toItem),
    ...(documents.length > maxItems
      ? [{ icon: 'ellipsis', text: t('and {0} more', documents.length - maxItems) }]
      : []),
  ],
});

function toItem(document: WrittenDocument): PlanItem {
  const { kind, name, action } = document;
  const label = getLocatedLabel(document);
  return {
    icon: resourceIcons[kind],
    text: name === '' ? label : name,
    detail: [...(name === '' ? [] : [label]), actionLabels[action]()].join(' · '),
  };
}

const actionLabels: Readonly<Record<WrittenDocument['action'], () => string>> = {
  create: () => t('create'),
  update: () => t('change'),
  delete: () => t('delete'),
};

/** Names documents with their kinds and locations. */
export function formatDocuments(documents: readonly WrittenDocument[]): string {
  const otherCount = documents.length - maxNames;
  return [
    ...documents.slice(0, maxNames).map(formatDocument),
    ...(otherCount > 0 ? [t('and {0} more', otherCount)] : []),
  ].join(', ');
}

function formatDocument(document: WrittenDocument): string {
  const label = getLocatedLabel(document);
  return document.name === '' ? label : t('{0} ({1})', document.name, label);
}

/** Returns the label of the kind of a document, with the title of its datamodel or cube set. */
export const getLocatedLabel = ({
  kind,
  containerTitle,
}: Pick<WrittenDocument, 'kind' | 'containerTitle'>): string =>
  (containerTitle === '' ? undefined : locatedKindLabels[kind]?.(containerTitle)) ??
  resourceKindLabels[kind]();

/** The labels of the kinds of items that belong to a datamodel, with its title, as in the plan. */
const locatedKindLabels: Partial<Readonly<Record<WrittenDocument['kind'], (title: string) => string>>> = {
  dataset: (title) => t('Dataset in {0}', title),
  table: (title) => t('Table in {0}', title),
  relation: (title) => t('Relation in {0}', title),
  columnRules: (title) => t('Data security rules in {0}', title),
};
