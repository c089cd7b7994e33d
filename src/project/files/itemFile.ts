import { type JsonObject, type JsonPath, type JsonValue, getMember, isJsonObject } from '../../base/json.ts';
import { type Message, MessageError, createMessage } from '../../base/localize.ts';
import { compareTexts } from '../../base/sortByText.ts';
import { isJsonArray } from '../../json/text/copyOnWrite.ts';
import type { ColumnName } from '../../security/tableAccess.ts';
import type { ItemKey, ItemKind, ProjectItem } from '../item.ts';
import { type MisspelledName, findMeantNames } from './misspelledName.ts';
import { readSqlReference } from './sqlReference.ts';

/**
 * Reads and writes the JSON of an item's file. A file contains the name of its item, so files can be renamed; only the
 * datamodel is determined by the folder. Where the content of an item doesn't contain its name, the file has an
 * additional member for it.
 */

/** The member of `expression` that refers to the file with the SQL. */
export const fileMember = '$file';

/** The kinds of items whose files are JSON. */
export type JsonItemKind = Exclude<ItemKind, 'tableExpression' | 'columnExpression'>;

export type ExpressionKey = Extract<ItemKey, { readonly kind: 'tableExpression' | 'columnExpression' }>;

/** A reference from the file of a table to one with SQL. */
export interface ExpressionReference {
  readonly key: ExpressionKey;
  /** The path of the SQL file, relative to the folder of the table's file. */
  readonly file: string;
  /** Where the reference is in the table's file. */
  readonly path: JsonPath;
}

/** Content that a file of its kind cannot have. */
export interface ContentFault {
  readonly code: 'invalid-content' | 'inline-sql' | 'invalid-reference';
  readonly path: JsonPath;
  readonly message: Message;
  /** The name that the fault is about, if it is probably misspelled. */
  readonly misspelled?: MisspelledName;
}

/** An item and its references, as read from a file. */
export interface ParsedItemFile {
  readonly item: ProjectItem;
  /** Empty for items other than tables. */
  readonly references: readonly ExpressionReference[];
}

class ContentError extends MessageError {
  override readonly name = 'ContentError';
  readonly fault: ContentFault;

  constructor(
    message: Message,
    path: JsonPath,
    code: ContentFault['code'] = 'invalid-content',
    misspelled?: MisspelledName,
  ) {
    super(message);
    this.fault = { code, path, message, ...(misspelled === undefined ? {} : { misspelled }) };
  }
}

/**
 * Returns the JSON of an item's file.
 * @param references for a table: the files of its SQL (by the name of the column, or `undefined` for the table's own),
 * relative to the folder of the table's file
 */
export function composeItemFile(
  { key, content }: ProjectItem,
  references: ReadonlyMap<string | undefined, string> = new Map(),
): JsonValue {
  switch (key.kind) {
    case 'table':
      return isJsonObject(content) ? composeTable(content, references) : content;
    case 'datamodel':
      return putFirst(content, 'title');
    case 'viewpoint':
      return putFirst(content, 'name');
    case 'cubeSetRules':
      return isJsonArray(content)
        ? content.map((rule) => (isJsonObject(rule) ? { cubeSet: key.cubeSet, ...rule } : rule))
        : content;
    case 'customData':
      return { name: key.name, content };
    case 'dataset':
    case 'relation':
    case 'rules':
    case 'tableExpression':
    case 'columnExpression':
      return content;
  }
}

const putFirst = (content: JsonValue, name: string): JsonValue => {
  const value = getMember(content, name);
  return isJsonObject(content) && value !== undefined ? { [name]: value, ...content } : content;
};

function composeTable(table: JsonObject, files: ReadonlyMap<string | undefined, string>): JsonObject {
  const { columns = [], ...others } = table;
  const createFileReference = (file: string | undefined): JsonObject =>
    file === undefined ? {} : { expression: { [fileMember]: file } };
  return {
    ...others,
    ...createFileReference(files.get(undefined)),
    columns: isJsonArray(columns)
      ? columns.map((column) =>
          isJsonObject(column) && typeof column['name'] === 'string'
            ? { ...column, ...createFileReference(files.get(column['name'])) }
            : column,
        )
      : columns,
  };
}

/**
 * Reads the JSON of an item's file.
 * @param datamodel the title of the datamodel that the file's folder belongs to; empty for other kinds
 * @param fileName if rules are on different columns, a hint at which of them is meant
 */
export function readItemFile(
  kind: JsonItemKind,
  value: JsonValue,
  datamodel: string,
  fileName = '',
): ParsedItemFile | { readonly fault: ContentFault } {
  try {
    return readContent(kind, value, { datamodel, fileName });
  } catch (error) {
    if (error instanceof ContentError) {
      return { fault: error.fault };
    }
    throw error;
  }
}

function readContent(
  kind: JsonItemKind,
  value: JsonValue,
  { datamodel, fileName }: { readonly datamodel: string; readonly fileName: string },
): ParsedItemFile {
  const createPlainItem = (key: ItemKey, content = value): ParsedItemFile => ({
    item: { key, content },
    references: [],
  });
  switch (kind) {
    case 'datamodel':
      return createPlainItem({ kind, datamodel: readName(value, 'title') });
    case 'dataset':
      return createPlainItem({ kind, datamodel, dataset: readName(value, 'name') });
    case 'table':
      return readTable(value, datamodel);
    case 'relation':
      return createPlainItem({ kind, datamodel, columns: readRelatedColumns(value) });
    case 'rules':
      requireRules(value, 'rules');
      return createPlainItem({ kind, datamodel, ...readRuleColumn(value, fileName) });
    case 'viewpoint':
      return createPlainItem({ kind, viewpoint: readName(value, 'name') });
    case 'cubeSetRules':
      requireRules(value, 'cube-set-rules');
      return createPlainItem(
        { kind, cubeSet: readCommonText(value, 'cubeSet', fileName), ...readRuleColumn(value, fileName) },
        readList(value, []).map((rule) => omitMember(rule, 'cubeSet')),
      );
    case 'customData':
      return createPlainItem({ kind, name: readName(value, 'name') }, readCustomData(value));
  }
}

const omitMember = (value: JsonValue, name: string): JsonValue =>
  isJsonObject(value) && Object.hasOwn(value, name)
    ? Object.fromEntries(Object.entries(value).filter(([member]) => member !== name))
    : value;

function readName(value: JsonValue, member: string, path: JsonPath = []): string {
  if (!isJsonObject(value)) {
    throw new ContentError(createMessage('Expected an object.'), path);
  }
  const name = getMember(value, member);
  if (typeof name !== 'string') {
    throw new ContentError(createMessage('Missing "{0}". Expected: a string.', member), [...path, member]);
  }
  return name;
}

function readList(value: JsonValue | undefined, path: JsonPath): readonly JsonValue[] {
  if (!isJsonArray(value)) {
    throw new ContentError(createMessage('Expected an array.'), path);
  }
  return value;
}

/**
 * Reads the content of a custom data object, which is always an object (rest-api.md, "Custom data object").
 * @throws ContentError
 */
function readCustomData(value: JsonValue): JsonValue {
  const content = getMember(value, 'content');
  if (!isJsonObject(content)) {
    throw new ContentError(createMessage('Missing "content". Expected: an object.'), ['content']);
  }
  return content;
}

function readRelatedColumns(value: JsonValue): readonly ColumnName[] {
  const columns = readList(getMember(value, 'columns'), ['columns']).map((column, index) => ({
    table: readName(column, 'table', ['columns', index]),
    column: readName(column, 'column', ['columns', index]),
  }));
  if (columns.length < 2) {
    throw new ContentError(createMessage('A relation must have at least two columns.'), ['columns']);
  }
  return columns.toSorted((a, b) => compareTexts(a.table, b.table) || compareTexts(a.column, b.column));
}

const readRuleColumn = (value: JsonValue, fileName: string): ColumnName => ({
  table: readCommonText(value, 'table', fileName),
  column: readCommonText(value, 'column', fileName),
});

/**
 * Requires that a file contains rules.
 * @param prunedKind the kind that `--prune` has to name to delete such rules on an instance
 */
function requireRules(value: JsonValue, prunedKind: string): void {
  if (readList(value, []).length === 0) {
    throw new ContentError(
      createMessage(
        'The file contains no rules. To remove the rules on a column from the instance, delete the file, and include deletions in the apply (--prune {0} on the command line).',
        prunedKind,
      ),
      [],
    );
  }
}

/**
 * Returns the value that a member has in all rules of a file, which has at least one.
 * @throws ContentError if the rules have different values
 */
function readCommonText(value: JsonValue, member: string, fileName: string): string {
  const texts = readList(value, []).map((rule, index) => readName(rule, member, [index]));
  const common = findMostFrequent(texts, fileName);
  const otherIndex = texts.findIndex((other) => other !== common);
  const other = texts[otherIndex];
  if (other !== undefined) {
    const path = [otherIndex, member];
    throw new ContentError(
      createMessage(
        'All rules in a file must be on the same column. "{0}" is {1} here, and {2} in other rules.',
        member,
        JSON.stringify(other),
        JSON.stringify(common),
      ),
      path,
      'invalid-content',
      findMeantNames({ name: other, path, changesAccess: true }, [common]),
    );
  }
  return common;
}

/**
 * Returns the text that occurs most often: a typo is in fewer rules than the right name. Of several, returns the one
 * that the file is named after, or else the first.
 */
function findMostFrequent(texts: readonly string[], fileName: string): string {
  const isInFileName = (text: string): number => (`.${fileName}`.includes(`.${text}.`) ? 1 : 0);
  const [first] = [...Map.groupBy(texts, (text) => text)].toSorted(
    ([a, ruleA], [b, ruleB]) => ruleB.length - ruleA.length || isInFileName(b) - isInFileName(a),
  );
  return first?.[0] ?? '';
}

function readTable(value: JsonValue, datamodel: string): ParsedItemFile {
  const table = readName(value, 'name');
  readName(value, 'dataset');
  const references: ExpressionReference[] = [];
  const readExpression = (owner: JsonValue, key: ExpressionKey, path: JsonPath): JsonValue => {
    const expression = getMember(owner, 'expression');
    if (expression !== undefined && expression !== null) {
      references.push({ key, file: readFileReference(expression, path), path });
    }
    return omitMember(owner, 'expression');
  };
  const names = new Set<string>();
  const columns = readList(getMember(value, 'columns'), ['columns']).map((column, index) => {
    const name = readName(column, 'name', ['columns', index]);
    if (names.has(name)) {
      throw new ContentError(createMessage('The table has two columns named {0}.', JSON.stringify(name)), [
        'columns',
        index,
        'name',
      ]);
    }
    names.add(name);
    return readExpression(column, { kind: 'columnExpression', datamodel, table, column: name }, [
      'columns',
      index,
      'expression',
    ]);
  });
  const others = readExpression(value, { kind: 'tableExpression', datamodel, table }, ['expression']);
  return {
    item: {
      key: { kind: 'table', datamodel, table },
      content: isJsonObject(others) ? { ...others, columns } : others,
    },
    references,
  };
}

function readFileReference(expression: JsonValue, path: JsonPath): string {
  const file = getMember(expression, fileMember);
  if (!isJsonObject(expression) || file === undefined || Object.keys(expression).length > 1) {
    throw new ContentError(
      createMessage('SQL belongs in a file of its own. Expected: {"$file": "Table/Column.datamodel.sql"}.'),
      path,
      'inline-sql',
    );
  }
  const reference = readSqlReference(file);
  if (typeof reference === 'object') {
    throw new ContentError(reference, [...path, fileMember], 'invalid-reference');
  }
  return reference;
}
