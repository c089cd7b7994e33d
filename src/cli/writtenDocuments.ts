import { loadDocumentNames } from '../changes/run/documentNames.ts';
import type { HistoryEntry } from '../changes/journal/entry.ts';
import {
  type WrittenDocument,
  getUnwrittenDocuments,
  getWrittenDocuments,
} from '../changes/journal/writtenDocuments.ts';
import type { Instance } from './instance.ts';
import type { AbandonOutput } from './recoveryOutputSchemas.ts';

type DocumentOutput = AbandonOutput['documents'][number];

/**
 * Loads the names of documents that their journals lack, by the IDs of the documents.
 * @throws ApiError
 */
export const loadJournalNames = async (
  entries: readonly HistoryEntry[],
  instance: Pick<Instance, 'getSession'>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> =>
  loadDocumentNames(entries, (await instance.getSession()).client, signal);

/** Returns a line for each document that an interrupted change has written, and for each that it has not. */
export const formatStepDocuments = (
  entry: HistoryEntry,
  names: ReadonlyMap<string, string>,
): readonly string[] => [
  ...getWrittenDocuments(entry, names).map((document) => formatWrittenDocument(toDocumentOutput(document))),
  ...getUnwrittenDocuments(entry, names).map((document) => `not done: ${formatPendingDocument(document)}`),
];

/** Returns a line for each document that the rollback of a change has written so far. */
export const formatUndoneDocuments = (
  undo: HistoryEntry,
  names: ReadonlyMap<string, string>,
): readonly string[] =>
  getWrittenDocuments(undo, names).map(
    (document) => `rolled back so far: ${formatWrittenDocument(toDocumentOutput(document))}`,
  );

export const toDocumentOutput = ({ isCertain, ...document }: WrittenDocument): DocumentOutput => ({
  ...toStepDocument(document),
  state: isCertain ? 'written' : 'unknown',
});

/** Converts what a step writes to JSON output. */
export const toStepDocument = ({
  action,
  kind,
  name,
  containerTitle,
}: Omit<WrittenDocument, 'isCertain'>): Omit<DocumentOutput, 'state'> => ({
  action,
  kind,
  name,
  ...(containerTitle === '' ? {} : { datamodel: containerTitle }),
});

/** Formats in a few words what an operation would do to a document: `change table Orders of Retail`. */
export const formatPendingDocument = (document: WrittenDocument): string =>
  `${pendingVerbs[document.action]} ${formatSubject(toDocumentOutput(document))}`;

/** The maximum number of documents in a list. */
const maxDocuments = 20;

/** Returns the lines of a list of what an operation does to several documents; none without documents. */
export const formatDocumentList = (
  title: string,
  documents: readonly WrittenDocument[],
): readonly string[] =>
  documents.length === 0
    ? []
    : [
        `${title}:`,
        ...documents.slice(0, maxDocuments).map((document) => `    ${formatPendingDocument(document)}`),
        ...(documents.length > maxDocuments ? [`    and ${documents.length - maxDocuments} more`] : []),
      ];

const pendingVerbs = { create: 'create', update: 'change', delete: 'delete' } as const;

const doneVerbs = { create: 'created', update: 'changed', delete: 'deleted' } as const;

/** The labels of kinds of documents, where users know another word than the name of the kind. */
const kindLabels: Readonly<Record<string, string>> = {
  columnRules: 'rules on',
  customDataObject: 'custom data object',
};

/** Formats a document in one line: `changed table Orders of Retail`. */
export const formatWrittenDocument = (document: DocumentOutput): string =>
  `${document.state === 'written' ? '' : 'might have '}${doneVerbs[document.action]} ${formatSubject(document)}`;

const formatSubject = ({ kind, name, datamodel }: DocumentOutput): string =>
  [
    kindLabels[kind] ?? kind,
    ...(name === '' ? [] : [name]),
    ...(datamodel === undefined ? [] : ['of', datamodel]),
  ].join(' ');
