import type { JsonValue } from '../../base/json.ts';
import { getMember } from '../../base/json.ts';
import { getLiteralText, findNodeAtPath } from '../../json/text/jsonNode.ts';
import { type JsonDocument, parseJsonTree } from '../../json/text/parseJsonTree.ts';
import type { ExpressionContext } from '../../sql/language.ts';
import { DatamodelLookup } from '../../viewpoints/datamodelLookup.ts';
import { getDatamodelFolder, getFileKind } from '../files/fileKinds.ts';
import type { JsonItemKind } from '../files/itemFile.ts';
import type { FileItem, Project } from '../files/project.ts';
import type { ItemKey } from '../item.ts';
import type { ProjectNames } from '../validate/projectNames.ts';
import type { TableOrColumnName } from './languageCalls.ts';
import { type NameOccurrence, findNameOccurrences } from './nameOccurrences.ts';

const viewpointTitlePath = ['details', 'datasource', 'title'];

type ExpressionItem = FileItem & {
  readonly key: Extract<ItemKey, { kind: 'tableExpression' | 'columnExpression' }>;
  readonly content: string;
};

/** Finds the items of a project by path, and the names in their files. */
export class ProjectIndex {
  readonly project: Project;
  readonly names: ProjectNames;
  readonly #itemsByPath: ReadonlyMap<string, FileItem>;
  readonly #titlesByFolder: ReadonlyMap<string, string>;

  constructor(project: Project, names: ProjectNames) {
    this.project = project;
    this.names = names;
    this.#itemsByPath = new Map(project.items.map((item) => [item.path, item]));
    this.#titlesByFolder = new Map(
      project.items.flatMap(({ key, path }) => {
        const folder = getDatamodelFolder(path);
        return key.kind === 'datamodel' && folder !== undefined ? [[folder, key.datamodel] as const] : [];
      }),
    );
  }

  find(path: string): FileItem | undefined {
    return this.#itemsByPath.get(path);
  }

  /** Returns the title of the datamodel whose folder a file is in; `undefined` if it's in none. */
  getDatamodelOfFolder(path: string): string | undefined {
    return this.#titlesByFolder.get(getDatamodelFolder(path) ?? '');
  }

  /**
   * Returns the title of the datamodel with a table if exactly one has it; otherwise `undefined`. The rules of a cube
   * set may be on tables of any datamodel.
   */
  findOnlyDatamodel(table: string): string | undefined {
    const [title, ...others] = this.names
      .listDatamodels()
      .filter((candidate) => this.names.getDatamodel(candidate)?.findTable(table) !== undefined);
    return others.length === 0 ? title : undefined;
  }

  /** Returns the context of SQL in a file; `undefined` for other files. */
  getExpressionContext(item: FileItem): ExpressionContext | undefined {
    const { key } = item;
    const model = 'datamodel' in key ? this.names.getDatamodel(key.datamodel) : undefined;
    if (model === undefined || !isExpression(item)) {
      return undefined;
    }
    const { catalog } = model;
    return item.key.kind === 'columnExpression'
      ? { kind: 'column', table: item.key.table, catalog }
      : { kind: 'table', catalog };
  }

  /** Returns the files with SQL of a datamodel. */
  getExpressions(title: string): readonly ExpressionItem[] {
    return (this.names.getDatamodel(title)?.items ?? []).filter(isExpression);
  }

  /**
   * Returns the JSON files that may name tables of a datamodel, including those that may refer to another datamodel.
   */
  getJsonItems(title: string): readonly FileItem[] {
    return this.project.items.filter(({ key, content }) => {
      switch (key.kind) {
        case 'viewpoint':
          return getTitle(content) === title;
        case 'cubeSetRules':
          return this.names.getDatamodel(title)?.findTable(key.table) !== undefined;
        case 'customData':
        case 'tableExpression':
        case 'columnExpression':
          return false;
        case 'datamodel':
        case 'dataset':
        case 'table':
        case 'relation':
        case 'rules':
          return key.datamodel === title;
      }
    });
  }

  /**
   * Finds the names in the JSON of a file, which may have syntax errors, and the datamodel that each belongs to.
   * @param cubeSetDatamodel the datamodel to assume for the rules of a cube set if several datamodels have the table
   */
  findOccurrences(
    path: string,
    text: string,
    cubeSetDatamodel?: string,
  ): readonly (NameOccurrence & { readonly datamodel: string })[] {
    const kind = getFileKind(path);
    if (kind === undefined || kind === 'sql' || kind === 'customData') {
      return [];
    }
    const document = parseJsonTree(text);
    const title = this.#getTitle(kind, path, document);
    const lookup =
      (title === undefined ? undefined : this.names.getDatamodel(title)?.lookup) ??
      new DatamodelLookup(undefined);
    return findNameOccurrences(kind, document, lookup).flatMap((occurrence) => {
      const datamodel = title ?? cubeSetDatamodel ?? this.findOnlyDatamodel(occurrence.table);
      return datamodel === undefined ? [] : [{ ...occurrence, datamodel }];
    });
  }

  #getTitle(kind: JsonItemKind, path: string, { root }: JsonDocument): string | undefined {
    switch (kind) {
      case 'viewpoint':
        return getLiteralText(findNodeAtPath(root, viewpointTitlePath)?.node) ?? '';
      case 'cubeSetRules':
        return undefined;
      case 'datamodel':
      case 'dataset':
      case 'table':
      case 'relation':
      case 'rules':
      case 'customData':
        return this.getDatamodelOfFolder(path) ?? '';
    }
  }
}

const isExpression = (item: FileItem): item is ExpressionItem =>
  (item.key.kind === 'tableExpression' || item.key.kind === 'columnExpression') &&
  typeof item.content === 'string';

const getTitle = (viewpoint: JsonValue): JsonValue | undefined =>
  viewpointTitlePath.reduce<JsonValue | undefined>(getMember, viewpoint);

/**
 * Returns whether a name in a file refers to a table or column. Names in viewpoints and SQL ignore letter case; in
 * rules they don't (rest-api.md, "Data security rule" 2).
 */
export function matchesName(
  occurrence: Pick<NameOccurrence, 'table' | 'column'>,
  name: Pick<TableOrColumnName, 'table' | 'column'>,
  ignoresCase: boolean,
): boolean {
  const isEqual = (a: string | undefined, b: string | undefined): boolean =>
    ignoresCase ? a?.toLowerCase() === b?.toLowerCase() : a === b;
  return isEqual(occurrence.table, name.table) && isEqual(occurrence.column, name.column);
}
