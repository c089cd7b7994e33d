import * as vscode from 'vscode';
import { type StoppedDocuments, readStoppedDocuments } from '../../changes/journal/stoppedDocuments.ts';
import { type WrittenDocument, listContentNames } from '../../changes/journal/writtenDocuments.ts';
import { resourceKindLabels } from '../../platform/resourceKindLabels.ts';
import type { ProjectPlan } from '../../project/apply/loadProjectPlan.ts';

const t = vscode.l10n.t;

/** The maximum number of documents that a message names. */
const maxNames = 5;

/**
 * Reads at which documents an apply has stopped. The names that its journal doesn't contain are those that the instance
 * had when the apply was planned.
 */
export const readDocumentsOfApply = (
  history: Parameters<typeof readStoppedDocuments>[0],
  stopped: Parameters<typeof readStoppedDocuments>[1],
  { reading }: Pick<ProjectPlan, 'reading'>,
): Promise<StoppedDocuments> =>
  readStoppedDocuments(
    history,
    stopped,
    new Map(reading.documents.datamodels.flatMap(({ document }) => listContentNames(document))),
  );

/** Names the documents whose writes have failed, and those for which this is unknown, in sentences. */
export const describeStoppedDocuments = ({ failed, unresolved }: StoppedDocuments): readonly string[] => [
  ...(failed.length === 0 ? [] : [t('Failed: {0}.', formatDocuments(failed))]),
  ...(unresolved.length === 0 ? [] : [t('Outcome unknown: {0}.', formatDocuments(unresolved))]),
];

/** Names documents with their kinds and locations. */
export function formatDocuments(documents: readonly WrittenDocument[]): string {
  const otherCount = documents.length - maxNames;
  return [
    ...documents.slice(0, maxNames).map(formatDocument),
    ...(otherCount > 0 ? [t('and {0} more', otherCount)] : []),
  ].join(', ');
}

function formatDocument({ kind, name, containerTitle }: WrittenDocument): string {
  const label =
    (containerTitle === '' ? undefined : locatedKindLabels[kind]?.(containerTitle)) ??
    resourceKindLabels[kind]();
  return name === '' ? label : t('{0} ({1})', name, label);
}

/** Describes the kinds that belong to a datamodel as the plan does. */
const locatedKindLabels: Partial<Readonly<Record<WrittenDocument['kind'], (title: string) => string>>> = {
  dataset: (title) => t('Dataset in {0}', title),
  table: (title) => t('Table in {0}', title),
  relation: (title) => t('Relation in {0}', title),
  columnRules: (title) => t('Data security rules in {0}', title),
};
