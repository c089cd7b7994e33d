import { type JsonObject, type JsonValue, getMember, isJsonObject } from '../../base/json.ts';
import { createMessage } from '../../base/localize.ts';
import { isPartyId } from '../../catalog/people/partyId.ts';
import { compareTexts } from '../../base/sortByText.ts';
import { getObjects, getText, omitMembers } from '../../changes/model/jsonMembers.ts';
import { maskConnectorDocument } from '../../base/secrets/maskSecrets.ts';
import { serverConnectionFields } from '../../contract/datamodel.ts';
import type { ColumnName } from '../../security/tableAccess.ts';
import { type ItemKey, type ProjectItem, formatItemKey } from '../item.ts';
import { toCanonicalSql } from '../sqlText.ts';
import { DocumentCleaner, textMembers } from './cleanDocument.ts';
import {
  type ConversionNote,
  type ConvertedItems,
  EqualNamesError,
  type ItemIdentity,
  UnwritableTextError,
} from './conversionResult.ts';
import { nameDatasets } from './datasetNames.ts';
import {
  type Identifiers,
  collectDatamodelIdentifiers,
  combineIdentifiers,
  findIdentifierTexts,
  readColumnName,
  readTableName,
  readTables,
} from './identifiers.ts';
import { MemberOrder } from './memberOrder.ts';
import { sortByJson } from './jsonLists.ts';

/**
 * Members of a datamodel that are stored in files of their own, or that describe where it is on an instance and who may
 * use it there (platform-facts.md, 2.2).
 */
const omittedDatamodelMembers = ['datasets', 'relations', 'server', 'shares'];
const omittedDatasetMembers = ['schema', 'fullname', 'shares', 'connection', 'name'];
const omittedTableMembers = ['expression', 'columns'];
const omittedRelationMembers = ['columns'];

/** Members that are kept as they are. The `id` of a table or column comes from its source. */
const verbatimMembers: ReadonlySet<string> = new Set([...textMembers, 'id']);

/**
 * Converts a datamodel with its datasets, tables and relations to items. Secrets are masked, and so are members that
 * may contain one.
 * @param partyIdentifiers identifiers of users and groups
 * @throws EqualNamesError
 * @throws UnwritableTextError
 */
export function convertDatamodel(document: JsonObject, partyIdentifiers: Identifiers): ConvertedItems {
  return new DatamodelConversion(document, partyIdentifiers).convert();
}

type ExpressionKey = Extract<ItemKey, { readonly kind: 'tableExpression' | 'columnExpression' }>;

/** A column with the names of its table and dataset. */
interface LocatedColumn extends ColumnName {
  readonly dataset: string;
}

class DatamodelConversion {
  readonly #document: JsonObject;
  readonly #title: string;
  readonly #cleaner: DocumentCleaner;
  readonly #memberOrder = new MemberOrder();
  readonly #datasetNames: ReadonlyMap<JsonObject, string>;
  readonly #items: ProjectItem[] = [];
  readonly #identities: ItemIdentity[] = [];
  readonly #notes: ConversionNote[] = [];
  readonly #keysOfItemsWithParties: ItemKey[] = [];
  /** Whether the item that is being converted contains what may be the ID of a user or group. */
  #mayHaveParty = false;
  readonly #addedDatasets = new Set<string>();
  readonly #columnsByOid = new Map<string, LocatedColumn>();
  /** The identifiers of all columns, including those in tables without a name. */
  readonly #columnOids: ReadonlySet<string>;

  constructor(document: JsonObject, partyIdentifiers: Identifiers) {
    const masked = maskConnectorDocument(document);
    this.#document = isJsonObject(masked) ? masked : {};
    this.#title = getText(document['title']);
    this.#datasetNames = nameDatasets(getObjects(this.#document['datasets']));
    this.#columnOids = new Set(
      getObjects(this.#document['datasets'])
        .flatMap(readTables)
        .flatMap(({ columns }) => getObjects(columns).map(({ oid }) => getText(oid))),
    );
    const ownIdentifiers = collectDatamodelIdentifiers(
      this.#document,
      (dataset) => this.#datasetNames.get(dataset) ?? '',
    );
    this.#cleaner = new DocumentCleaner(
      combineIdentifiers(ownIdentifiers, {
        ...partyIdentifiers,
        findReference: (text) => {
          this.#mayHaveParty ||= findIdentifierTexts(text).some(
            (part) => isPartyId(part) && !ownIdentifiers.isIdentifier(part),
          );
          return partyIdentifiers.findReference(text);
        },
      }),
    );
  }

  convert(): ConvertedItems {
    const document = this.#document;
    this.#add({ kind: 'datamodel', datamodel: this.#title }, document, {
      ...this.#memberOrder.orderMembers(
        this.#cleaner.cleanMembers(omitMembers(document, ...omittedDatamodelMembers)),
      ),
      // Absent means an extract datamodel (rest-api.md, "Datamodel").
      type: getText(document['type']).toLowerCase() || 'extract',
      ...this.#cleanRelatedTables(document['relationsTables']),
    });
    for (const dataset of getObjects(document['datasets'])) {
      this.#addDataset(dataset);
    }
    this.#requireDistinctTables();
    for (const dataset of getObjects(document['datasets'])) {
      readTables(dataset).forEach((table) => this.#addTable(table, this.#datasetNames.get(dataset) ?? ''));
    }
    this.#addRelations();
    return {
      items: this.#items,
      identities: this.#identities,
      notes: this.#notes,
      keysWithParties: this.#keysOfItemsWithParties,
    };
  }

  /** Returns the member with the pairs of related tables, sorted, because their order has no meaning. */
  #cleanRelatedTables(pairs: JsonValue | undefined): JsonObject {
    const cleaned = getObjects(pairs).map((pair) => this.#cleaner.cleanMembers(pair));
    return cleaned.length === 0 ? {} : { relationsTables: sortByJson(cleaned) };
  }

  #add(key: ItemKey, source: JsonObject, content: JsonValue): void {
    this.#addItem(key, content);
    const { oid } = source;
    if (typeof oid === 'string' && oid !== '') {
      this.#identities.push({ key, oid });
    }
  }

  /** @param content the content that was converted last, which `#mayHaveParty` is about */
  #addItem(key: ItemKey, content: JsonValue): void {
    this.#items.push({ key, content });
    if (this.#mayHaveParty) {
      this.#keysOfItemsWithParties.push(key);
      this.#mayHaveParty = false;
    }
  }

  #addDataset(dataset: JsonObject): void {
    const name = this.#datasetNames.get(dataset) ?? '';
    const key = { kind: 'dataset', datamodel: this.#title, dataset: name } as const;
    if (this.#addedDatasets.has(name)) {
      throw new EqualNamesError(
        key,
        createMessage(
          'The datamodel "{0}" has two datasets named "{1}". Rename one of them on the instance.',
          this.#title,
          name,
        ),
        [name, name],
      );
    }
    this.#addedDatasets.add(name);
    const { connection } = dataset;
    this.#add(key, dataset, {
      name,
      ...this.#memberOrder.orderMembers(
        this.#cleaner.cleanMembers(omitMembers(dataset, ...omittedDatasetMembers)),
      ),
      ...(isJsonObject(connection)
        ? { connection: this.#cleaner.cleanMembers(omitMembers(connection, ...serverConnectionFields)) }
        : {}),
    });
  }

  #requireDistinctTables(): void {
    const datasetsByTable = new Map<string, string>();
    for (const dataset of getObjects(this.#document['datasets'])) {
      for (const name of readTables(dataset).map(readTableName)) {
        const datasetName = this.#datasetNames.get(dataset) ?? '';
        const otherName = datasetsByTable.get(name);
        if (otherName !== undefined) {
          throw new EqualNamesError(
            { kind: 'table', datamodel: this.#title, table: name },
            otherName === datasetName
              ? createMessage(
                  'The datamodel "{0}" has two tables named "{1}", both in the dataset "{2}". Rename one of them on the instance.',
                  this.#title,
                  name,
                  datasetName,
                )
              : createMessage(
                  'The datamodel "{0}" has two tables named "{1}": in the datasets "{2}" and "{3}". Rename one of them on the instance.',
                  this.#title,
                  name,
                  otherName,
                  datasetName,
                ),
            [otherName, datasetName],
          );
        }
        datasetsByTable.set(name, datasetName);
      }
    }
  }

  #addTable(table: JsonObject, dataset: string): void {
    const [datamodel, name] = [this.#title, readTableName(table)];
    if (name === '') {
      this.#notes.push({
        code: 'nameless',
        kind: 'table',
        parent: dataset,
        count: 1,
        oids: [getText(table['oid'])],
      });
      return;
    }
    const columns = getObjects(table['columns']);
    const columnOids: (readonly [name: string, oid: string])[] = [];
    const columnNames = new Set<string>();
    for (const column of columns) {
      const columnName = readColumnName(column);
      if (columnNames.has(columnName)) {
        throw new EqualNamesError(
          { kind: 'table', datamodel, table: name },
          createMessage(
            'The table "{0}" of the datamodel "{1}" has two columns named "{2}". Rename one of them on the instance.',
            name,
            datamodel,
            columnName,
          ),
          [columnName, columnName],
        );
      }
      columnNames.add(columnName);
      const { oid } = column;
      if (typeof oid === 'string' && oid !== '') {
        columnOids.push([columnName, oid]);
        this.#columnsByOid.set(oid, { dataset, table: name, column: columnName });
      }
    }
    const { oid } = table;
    const key = { kind: 'table', datamodel, table: name } as const;
    this.#addItem(key, {
      dataset,
      name,
      ...this.#memberOrder.orderMembers(
        this.#cleaner.cleanMembers(omitMembers(table, ...omittedTableMembers), verbatimMembers),
      ),
      columns: columns.map((column) => ({
        name: readColumnName(column),
        ...this.#memberOrder.orderMembers(
          this.#cleaner.cleanMembers(omitMembers(column, 'expression'), verbatimMembers),
        ),
      })),
    });
    if (typeof oid === 'string' && oid !== '') {
      this.#identities.push({ key, oid, columns: Object.fromEntries(columnOids) });
    }
    this.#addExpression({ kind: 'tableExpression', datamodel, table: name }, table);
    for (const column of columns) {
      this.#addExpression(
        { kind: 'columnExpression', datamodel, table: name, column: readColumnName(column) },
        column,
      );
    }
  }

  /**
   * Adds the SQL of a table or column as an item, if there is any. SQL is text, or text in an object
   * (platform-facts.md, 2.2).
   * @throws UnwritableTextError
   */
  #addExpression(key: ExpressionKey, { expression }: JsonObject): void {
    const text = getText(getMember(expression, 'expression') ?? expression);
    if (!text.isWellFormed()) {
      throw new UnwritableTextError(
        key,
        key.kind === 'tableExpression'
          ? createMessage(
              'The SQL of the table "{0}" in the datamodel "{1}" contains an invalid Unicode character (an unpaired surrogate), which can\'t be stored in a file. Remove it from the SQL on the instance.',
              key.table,
              this.#title,
            )
          : createMessage(
              'The SQL of the column "{0}" in the table "{1}" of the datamodel "{2}" contains an invalid Unicode character (an unpaired surrogate), which can\'t be stored in a file. Remove it from the SQL on the instance.',
              key.column,
              key.table,
              this.#title,
            ),
      );
    }
    if (text.trim() !== '') {
      this.#items.push({ key, content: toCanonicalSql(text) });
    }
  }

  #addRelations(): void {
    const knownKeys = new Set<string>();
    const [broken, nameless, equal]: readonly [JsonObject[], JsonObject[], JsonObject[]] = [[], [], []];
    for (const relation of getObjects(this.#document['relations'])) {
      const ends = getObjects(relation['columns']);
      if (ends.length < 2 || ends.some((end) => this.#hasLostColumn(end))) {
        broken.push(relation);
        continue;
      }
      const columns = ends
        .flatMap(({ column }) => this.#columnsByOid.get(getText(column)) ?? [])
        .filter(({ column }) => column !== '');
      if (columns.length < ends.length) {
        nameless.push(relation);
        continue;
      }
      const names = columns.map(({ table, column }) => ({ table, column })).toSorted(compareColumns);
      const key = { kind: 'relation', datamodel: this.#title, columns: names } as const;
      if (knownKeys.has(formatItemKey(key))) {
        equal.push(relation);
        continue;
      }
      knownKeys.add(formatItemKey(key));
      this.#add(key, relation, {
        columns: names,
        ...this.#cleaner.cleanMembers(omitMembers(relation, ...omittedRelationMembers)),
      });
    }
    this.#noteBrokenRelations(broken);
    this.#addNote('nameless', nameless);
    this.#addNote('equal-relations', equal);
  }

  /** Returns whether the column of a relation end no longer exists (platform-facts.md, 2.2). */
  #hasLostColumn({ column, isDropped }: JsonObject): boolean {
    const oid = getText(column);
    return oid === '' ? isDropped === true : !this.#columnOids.has(oid);
  }

  /**
   * Adds a note about relations that have lost a column. Their IDs are kept out of `identities`, so the project's
   * relation counts as deleted: what remains links nothing, and no request repairs it.
   */
  #noteBrokenRelations(relations: readonly JsonObject[]): void {
    if (relations.length === 0) {
      return;
    }
    const tables = new Map(
      getObjects(this.#document['datasets'])
        .flatMap(readTables)
        .map((table) => [getText(table['oid']), readTableName(table)] as const),
    );
    const brokenRelations = relations.map((relation): ItemIdentity => {
      const [first = {}, second = {}, ...others] = getObjects(relation['columns']);
      const columns = [first, second, ...others]
        .map((end) => {
          const { table, column } = this.#columnsByOid.get(getText(end['column'])) ?? {};
          return { table: table ?? tables.get(getText(end['table'])) ?? '', column: column ?? '' };
        })
        .toSorted(compareEnds);
      return { key: { kind: 'relation', datamodel: this.#title, columns }, oid: getText(relation['oid']) };
    });
    this.#notes.push({
      code: 'broken-relation',
      kind: 'relation',
      parent: this.#title,
      count: relations.length,
      oids: [],
      brokenRelations,
    });
  }

  #addNote(code: 'nameless' | 'equal-relations', relations: readonly JsonObject[]): void {
    if (relations.length > 0) {
      const oids = relations.map(({ oid }) => getText(oid)).filter((oid) => oid !== '');
      this.#notes.push({ code, kind: 'relation', parent: this.#title, count: relations.length, oids });
    }
  }
}

/** Compares the columns of a relation: those that still exist come first. */
const compareEnds = (a: ColumnName, b: ColumnName): number =>
  Number(a.column === '') - Number(b.column === '') || compareColumns(a, b);

const compareColumns = (a: ColumnName, b: ColumnName): number =>
  compareTexts(a.table, b.table) || compareTexts(a.column, b.column);
