import { type JsonObject, type JsonPath, type JsonValue, getMember, isJsonObject } from '../../base/json.ts';
import { type Message, createMessage } from '../../base/localize.ts';
import { isJsonArray } from '../../json/text/copyOnWrite.ts';
import type { FileItem } from '../files/project.ts';
import { FileLocator } from './fileLocator.ts';
import { type Finding, type FindingCode, describeUnknownName, toDescription } from './finding.ts';
import type { DatamodelNames, ItemNames } from './projectNames.ts';

/**
 * Finds references to what a datamodel does not have: the dataset of a table, the columns of a relation, and each
 * `$ref` in a file of the datamodel.
 */
export function checkReferences(item: FileItem, names: ItemNames): readonly Finding[] {
  const { key } = item;
  const model = 'datamodel' in key ? names.getDatamodel(key.datamodel) : undefined;
  return model === undefined ? [] : new ReferenceCheck(item, names, model).run();
}

const referenceKey = '$ref';

type ReferenceCode = Extract<FindingCode, `reference/${string}`>;

class ReferenceCheck {
  readonly #item: FileItem;
  readonly #names: ItemNames;
  readonly #model: DatamodelNames;
  readonly #locator: FileLocator;
  readonly #findings: Finding[] = [];

  constructor(item: FileItem, names: ItemNames, model: DatamodelNames) {
    this.#item = item;
    this.#names = names;
    this.#model = model;
    this.#locator = new FileLocator(item.text);
  }

  run(): readonly Finding[] {
    const { key, content } = this.#item;
    switch (key.kind) {
      case 'table':
        this.#checkDataset(key.datamodel, getMember(content, 'dataset'), ['dataset']);
        this.#visitAll(content);
        break;
      case 'relation':
        this.#checkRelation(getMember(content, 'columns'));
        this.#visitAll(content);
        break;
      case 'datamodel':
      case 'dataset':
        this.#visitAll(content);
        break;
      // Rules and viewpoints have their own checks, and their texts may contain anything.
      case 'tableExpression':
      case 'columnExpression':
      case 'rules':
      case 'viewpoint':
      case 'cubeSetRules':
      case 'customData':
        break;
    }
    return this.#findings;
  }

  #add(path: JsonPath, code: ReferenceCode, description: ReturnType<typeof describeUnknownName>): void {
    this.#findings.push({
      path: this.#item.path,
      ...this.#locator.locatePath(path),
      severity: 'error',
      code,
      ...description,
    });
  }

  /** Reports a name that is not among the known ones. */
  #addUnknown(
    path: JsonPath,
    name: string,
    { code, message, knownNames }: { code: ReferenceCode; message: Message; knownNames: readonly string[] },
  ): void {
    // Rules on a table also restrict the tables that relations link to it.
    const effect = this.#item.key.kind === 'relation' ? { changesAccess: true as const } : {};
    this.#add(path, code, describeUnknownName(message, { name, path, ...effect }, knownNames));
  }

  #checkDataset(title: string, dataset: JsonValue | undefined, path: JsonPath): void {
    if (typeof dataset === 'string' && this.#names.isDatasetMissing(title, dataset)) {
      this.#addUnknown(path, dataset, {
        code: 'reference/unknown-dataset',
        message: createMessage('The datamodel has no dataset "{0}".', dataset),
        knownNames: this.#names.listDatasets(title),
      });
    }
  }

  #checkRelation(columns: JsonValue | undefined): void {
    (isJsonArray(columns) ? columns : []).forEach((column, index) => {
      if (isJsonObject(column)) {
        this.#checkColumn(column, ['columns', index]);
      }
    });
  }

  #checkColumn({ table, column }: JsonObject, path: JsonPath): void {
    if (typeof table !== 'string') {
      return;
    }
    const columnName = typeof column === 'string' ? column : undefined;
    const missing = this.#model.findMissing(table, columnName);
    if (missing === 'unknown-table') {
      this.#addUnknown([...path, 'table'], table, {
        code: 'reference/unknown-table',
        message: createMessage('The datamodel has no table "{0}".', table),
        knownNames: this.#model.catalog.tables.map(({ name }) => name),
      });
    } else if (missing === 'unknown-column' && columnName !== undefined) {
      this.#addUnknown([...path, 'column'], columnName, {
        code: 'reference/unknown-column',
        message: createMessage('The table "{0}" has no column "{1}".', table, columnName),
        knownNames: (this.#model.findTable(table)?.columns ?? []).map(({ name }) => name),
      });
    }
  }

  /** Visits all references in the content. Most files have none. */
  #visitAll(content: JsonValue): void {
    const { text } = this.#item;
    // The key may be written with escape sequences.
    if (text.includes(referenceKey) || text.includes('\\u')) {
      this.#visit(content, []);
    }
  }

  #visit(value: JsonValue, path: JsonPath): void {
    if (isJsonArray(value)) {
      value.forEach((entry, index) => this.#visit(entry, [...path, index]));
    } else if (isJsonObject(value)) {
      const target = Object.hasOwn(value, referenceKey) ? value[referenceKey] : undefined;
      // Settings of a connector may have a member of this name, whose value is a text.
      if (isJsonObject(target)) {
        this.#checkTarget(value, target, [...path, referenceKey]);
      } else {
        Object.entries(value).forEach(([name, member]) => this.#visit(member, [...path, name]));
      }
    }
  }

  #checkTarget(reference: JsonObject, target: JsonObject, path: JsonPath): void {
    const members = Object.keys(target).toSorted().join(',');
    if (
      Object.keys(reference).length > 1 ||
      !targetMembers.has(members) ||
      // A party without a name is an object with its number.
      (!/^(?:user|group)$/.test(members) && !Object.values(target).every((name) => typeof name === 'string'))
    ) {
      this.#add(
        path,
        'reference/invalid',
        toDescription(
          createMessage(
            'Unknown reference. Expected: {0}.',
            '{"$ref": {"table": "Orders", "column": "Order Date"}}',
          ),
        ),
      );
      return;
    }
    const { datamodel } = target;
    if (typeof datamodel === 'string' && this.#names.isDatamodelMissing(datamodel)) {
      this.#addUnknown([...path, 'datamodel'], datamodel, {
        code: 'reference/unknown-datamodel',
        message: createMessage('The project has no datamodel "{0}".', datamodel),
        knownNames: this.#names.listDatamodels(),
      });
    }
    const { key } = this.#item;
    if ('datamodel' in key) {
      this.#checkDataset(key.datamodel, target['dataset'], [...path, 'dataset']);
    }
    this.#checkColumn(target, path);
  }
}

/** The sorted names of the members in each kind of reference. */
const targetMembers: ReadonlySet<string> = new Set([
  'datamodel',
  'dataset',
  'table',
  'column,table',
  'user',
  'group',
]);
