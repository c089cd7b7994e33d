import { getMember, isJsonObject, type JsonValue } from '../../base/json.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import { renameInViewpoint } from '../../viewpoints/renameInViewpoint.ts';
import { asObject, getObjects, getText } from '../model/jsonMembers.ts';
import type { HistoryEntry } from './entry.ts';
import { mayApplyToDatamodel } from './restoredNames.ts';

type RecordedDocument = HistoryEntry['before'][number];

/** A table that gets another name than it had. */
interface RenamedTable {
  readonly datamodelId: string;
  /** The title of its datamodel; empty if the entry hasn't recorded it. */
  readonly title: string;
  readonly name: string;
  readonly newName: string;
}

/**
 * Returns an entry whose undo restores items under new names. Recorded rules and viewpoints refer to tables by name, so
 * they get the new names, too: the former name now belongs to another table.
 * @param names the new names, by the former IDs of the items
 */
export function renameRestoredItems(entry: HistoryEntry, names: ReadonlyMap<string, string>): HistoryEntry {
  const tables = findRenamedTables(entry, names);
  return {
    ...entry,
    before: entry.before.map((recorded) => {
      const { document, ...others } = renameTables(recorded, tables);
      const { ref } = others;
      return {
        ...others,
        ...(document === undefined ? {} : { document: renameItems(document, names) }),
        // The recorded rules of a datamodel refer to the title that it had.
        ...(ref.kind === 'datamodel' && names.has(ref.datamodelId)
          ? { formerTitle: getText(getMember(document ?? null, 'title')) }
          : {}),
      };
    }),
  };
}

/**
 * Creates a function that returns whether the name of a table now belongs to another table, since an undo restores the
 * one that had it under a new name: the undo leaves the rules on that name alone.
 * @param names the new names, by the former IDs of the items
 */
export function createOtherTableCheck(
  entry: HistoryEntry,
  names: ReadonlyMap<string, string>,
): (subject: RuleSubject, table: string) => boolean {
  const tables = findRenamedTables(entry, names);
  return (subject, table) =>
    tables.some(
      ({ datamodelId, name }) => name === table && mayApplyToDatamodel(entry, subject, datamodelId),
    );
}

/** Returns the tables of an entry that get another name, each once. */
function findRenamedTables(
  { before }: Pick<HistoryEntry, 'before'>,
  names: ReadonlyMap<string, string>,
): readonly RenamedTable[] {
  const titles = new Map(
    before.flatMap(({ ref, document }) =>
      ref.kind === 'datamodel' ? [[ref.datamodelId, getText(asObject(document)['title'])] as const] : [],
    ),
  );
  const tables = before.flatMap(({ ref, document }) => {
    const content = asObject(document);
    if (ref.kind !== 'table' && ref.kind !== 'datamodel') {
      return [];
    }
    const { datamodelId } = ref;
    const title = titles.get(datamodelId) ?? '';
    const documents =
      ref.kind === 'table'
        ? [content]
        : getObjects(content['datasets']).flatMap(({ schema }) => getObjects(asObject(schema)['tables']));
    return documents.flatMap(({ oid, name }): readonly (readonly [string, RenamedTable])[] => {
      const id = getText(oid);
      const newName = names.get(id);
      return newName === undefined ? [] : [[id, { datamodelId, title, name: getText(name), newName }]];
    });
  });
  return [...new Map(tables).values()];
}

/** Returns recorded rules, or a recorded viewpoint, with the new names of tables; other documents as they are. */
function renameTables(recorded: RecordedDocument, tables: readonly RenamedTable[]): RecordedDocument {
  const { ref, document } = recorded;
  if (ref.kind === 'viewpoint' && isJsonObject(document)) {
    const title = getText(asObject(asObject(document['details'])['datasource'])['title']);
    const own = tables.filter((table) => table.title === '' || table.title === title);
    return {
      ...recorded,
      document: renameInViewpoint(
        document,
        own.map(({ name, newName }) => ({ target: { table: name }, newName })),
      ),
    };
  }
  if (!('subject' in ref)) {
    return recorded;
  }
  const newNames = new Map(
    tables
      .filter(({ datamodelId }) => mayApplyToDatamodel({ before: [recorded] }, ref.subject, datamodelId))
      .map(({ name, newName }) => [name, newName]),
  );
  const renameRule = (rule: JsonValue): JsonValue => {
    const newName = isJsonObject(rule) ? newNames.get(getText(rule['table'])) : undefined;
    return newName === undefined ? rule : { ...asObject(rule), table: newName };
  };
  return {
    ...recorded,
    ref: ref.kind === 'columnRules' ? { ...ref, table: newNames.get(ref.table) ?? ref.table } : ref,
    ...(document === undefined
      ? {}
      : {
          document: Array.isArray(document)
            ? (document as readonly JsonValue[]).map(renameRule)
            : renameRule(document),
        }),
  };
}

function renameItems(value: JsonValue, names: ReadonlyMap<string, string>): JsonValue {
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).map((item) => renameItems(item, names));
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const id = value['oid'] ?? value['id'];
  const newName = typeof id === 'string' ? names.get(id) : undefined;
  const renamed = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, renameItems(member, names)]),
  );
  return newName === undefined ? renamed : { ...renamed, ['title' in value ? 'title' : 'name']: newName };
}
