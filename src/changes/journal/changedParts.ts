import { getWriteRuleSubject } from '../model/ruleSubjects.ts';
import { Documents } from '../model/snapshot.ts';
import type { Write } from '../model/operation.ts';
import { loadWriteKinds } from '../endpoints/writeKinds.ts';
import type { HistoryEntry } from './entry.ts';
import { describeWrites } from './writtenDocuments.ts';

/** The maximum number of writes that are described: an apply or a table of rules may have thousands. */
const maxWrites = 20;

/** What an operation changes. */
export interface ChangedParts {
  /** The names of the documents that it changes, in the order of the writes. */
  readonly documents: readonly string[];
  /**
   * The fields and columns of the only document that it changes, or the names of several documents, in the order of the
   * writes and without the name of its subject.
   */
  readonly names: readonly string[];
  /** False if it has more writes than are described. */
  readonly isComplete: boolean;
}

/**
 * Finds what an operation changes, as its entry has recorded it. This distinguishes several changes of one item, which
 * have the same title.
 */
export async function findChangedParts(entry: HistoryEntry): Promise<ChangedParts> {
  const { operation } = entry;
  const writes = operation.writes.slice(0, maxWrites);
  const documents = describeWrites({ ...entry, operation: { ...operation, writes } }).flat();
  const [first] = documents;
  const isSingle = documents.every(
    ({ name, containerTitle }) => name === first?.name && containerTitle === first.containerTitle,
  );
  const documentNames = documents.map((document) => document.name);
  const names =
    isSingle && first?.action === 'update' && first.kind !== 'columnRules'
      ? await findDocumentParts(entry, writes)
      : documentNames;
  const { name, within } = operation.subject;
  return {
    documents: [...new Set(documentNames)].filter((documentName) => documentName !== ''),
    names: [...new Set(names)].filter((part) => part !== '' && part !== name && !within.includes(part)),
    isComplete: writes.length === operation.writes.length,
  };
}

/** Returns the names of the fields that the writes of one document change, and of the columns in it. */
async function findDocumentParts(
  { before, operation }: HistoryEntry,
  writes: readonly Write[],
): Promise<readonly string[]> {
  const documentWrites = writes.filter((write) => getWriteRuleSubject(write) === undefined);
  const getKind = await loadWriteKinds(documentWrites);
  const sources = {
    documents: new Documents(before.map(({ ref, document }) => ({ ref, document }))),
    oldIndex: undefined,
    newIndex: undefined,
  };
  return documentWrites.flatMap((write) => {
    const { created, changed, deleted } = getKind(write).getEffects(write, sources);
    return [
      ...changed.flatMap(({ kind, name, resource, fields }) =>
        kind === resource?.kind || name === operation.subject.name
          ? fields.map(({ field }) => getOwnName(field))
          : [name],
      ),
      ...[...created, ...deleted].map(({ name }) => name),
    ];
  });
}

/** Returns the name of a field, or of the list that it is in, without the names of the objects around it. */
function getOwnName(field: string): string {
  const [path = ''] = field.split('[');
  return path.slice(path.lastIndexOf('.') + 1);
}
