import { type JsonValue, getMember, isJsonObject, stringify } from '../../base/json.ts';
import { type Message, createMessage, english } from '../../base/localize.ts';
import { findClosestNames } from '../../base/similarNames.ts';
import { toJsonValue, findNodeAtPath } from '../../json/text/jsonNode.ts';
import { isJsonArray } from '../../json/text/copyOnWrite.ts';
import type { RuleFinding } from '../../security/lint/finding.ts';
import type { RuleLintCode } from '../../security/lint/lintCode.ts';
import { lintRules } from '../../security/lint/lintRules.ts';
import {
  type CatalogTable,
  codeActionsAt,
  diagnose,
  type Diagnostic,
  type ExpressionContext,
  formatSqlProblem,
} from '../../sql/language.ts';
import { lintParsedViewpoint } from '../../viewpoints/lint/lint.ts';
import type { ViewpointProblem } from '../../viewpoints/lint/problem.ts';
import { DatamodelLookup } from '../../viewpoints/datamodelLookup.ts';
import type { FileItem } from '../files/project.ts';
import { type ItemKey, renamedFromMember } from '../item.ts';
import { FileLocator } from './fileLocator.ts';
import { findSamePartiesRules } from './sameParties.ts';
import { type Finding, describeUnknownName, toDescription, withSuggestion } from './finding.ts';
import type { ItemNames } from './projectNames.ts';

/** Checks SQL, rules, and viewpoints in the same way as the editor, using the tables of the project. */
export function checkContents(item: FileItem, names: ItemNames): readonly Finding[] {
  switch (item.key.kind) {
    case 'tableExpression':
    case 'columnExpression':
      return checkSql(item, names);
    case 'rules':
    case 'cubeSetRules':
      return checkRuleFile(item, names);
    case 'viewpoint':
      return checkViewpoint(item, names);
    case 'datamodel':
    case 'dataset':
    case 'table':
    case 'relation':
    case 'customData':
      return [];
  }
}

function checkSql({ key, content, path }: FileItem, names: ItemNames): readonly Finding[] {
  const model = 'datamodel' in key ? names.getDatamodel(key.datamodel) : undefined;
  if (typeof content !== 'string' || model === undefined) {
    return [];
  }
  const { catalog, hasAllTables } = model;
  const locator = new FileLocator(content);
  const context: ExpressionContext =
    key.kind === 'columnExpression'
      ? { kind: 'column', table: key.table, catalog }
      : { kind: 'table', catalog };
  const findFix = ({ start, end }: Diagnostic): string | undefined =>
    codeActionsAt(content, start, end, context).find(({ code }) => code === 'did-you-mean')?.edits[0]
      ?.newText;
  return diagnose(content, context)
    .filter(({ reason }) => hasAllTables || reason !== 'no-table')
    .map((problem) => ({
      path,
      ...locator.locate(problem),
      severity: problem.severity,
      code: `sql/${problem.code}`,
      ...withSuggestion(
        formatSqlProblem(english, problem),
        nameReasons.has(problem.reason) ? findFix(problem) : undefined,
      ),
      detail: { kind: 'sql', problem },
    }));
}

/** The problems of SQL for which another name may be suggested. */
const nameReasons: ReadonlySet<string> = new Set<Diagnostic['reason']>(['no-table', 'no-column']);

/** Returns the name that is most similar to a mistyped one, in quotes; `undefined` if none is similar. */
function findSimilarName(name: string, names: readonly string[]): string | undefined {
  const [closest] = findClosestNames(name, names);
  return closest === undefined ? undefined : `"${closest}"`;
}

/**
 * Returns the name of a table or column that was probably meant by an unknown one; `undefined` if none is similar, or
 * if the finding isn't about an unknown name.
 */
function findMeantTableOrColumn(
  code: string,
  { table, column }: { readonly table: string; readonly column: string },
  tables: readonly CatalogTable[],
): string | undefined {
  if (code === 'unknown-table') {
    return findSimilarName(
      table,
      tables.map(({ name }) => name),
    );
  }
  const columns = tables.find(({ name }) => name === table)?.columns ?? [];
  return code === 'unknown-column'
    ? findSimilarName(
        column,
        columns.map(({ name }) => name),
      )
    : undefined;
}

function checkRuleFile({ key, content, path, text }: FileItem, names: ItemNames): readonly Finding[] {
  if (!isJsonArray(content) || (key.kind !== 'rules' && key.kind !== 'cubeSetRules')) {
    return [];
  }
  const table = findTable(key, names);
  // All rules of a file are on one table: adding the others to the catalog would only take time.
  const catalog =
    table === undefined ? undefined : { complete: true, tables: table === 'missing' ? [] : [table] };
  const isCubeSet = key.kind === 'cubeSetRules';
  const tables = key.kind === 'rules' ? (names.getDatamodel(key.datamodel)?.catalog.tables ?? []) : [];
  const locator = new FileLocator(text);
  const lintFindings = lintRules(content.map(stringifyNumberedReferences), catalog)
    // In files, parties have names.
    .filter(({ code }) => code !== 'party-not-id');
  const duplicates = new Set(
    lintFindings.filter(({ code }) => code === 'duplicate-rule').map(({ index }) => index),
  );
  return [
    ...lintFindings.map(
      (finding): Finding => ({
        path,
        ...locator.locatePath([finding.index, ...finding.path]),
        severity:
          // A pull never writes such a rule, so it's unclear what its author has meant.
          finding.code === 'all-members-true'
            ? 'error'
            : isCubeSet && catalogDependentCodes.has(finding.code) && !names.hasAllDatamodels()
              ? 'warning'
              : finding.severity,
        code: `rules/${finding.code}`,
        ...((isCubeSet ? describeCubeSetFinding(finding, table, names) : undefined) ?? {
          ...withSuggestion(
            finding.message,
            findMeantTableOrColumn(
              finding.code,
              { table: finding.args[0] ?? '', column: finding.args[1] ?? '' },
              tables,
            ),
          ),
          detail: { kind: 'rules', finding },
        }),
      }),
    ),
    ...findSamePartiesRules(content)
      .filter(({ index }) => !duplicates.has(index))
      .map(
        ({ index, earlierIndex }): Finding => ({
          path,
          ...locator.locatePath([index]),
          // An instance that has such rules already accepts them.
          severity: 'warning',
          code: 'rules/same-parties',
          ...toDescription(
            createMessage(
              'Rule {0} in this file is for the same users and groups. An instance might overwrite one of the two with the other, so plans might be refused. Combine them into one rule.',
              earlierIndex + 1,
            ),
          ),
        }),
      ),
  ];
}

/** Returns the table that rules are on; `undefined` if files that can't be read may contain it. */
function findTable(
  key: Extract<ItemKey, { kind: 'rules' | 'cubeSetRules' }>,
  names: ItemNames,
): CatalogTable | 'missing' | undefined {
  if (key.kind === 'cubeSetRules') {
    return names.findCubeSetTable(key.table);
  }
  const model = names.getDatamodel(key.datamodel);
  return model?.findTable(key.table) ?? (model?.hasAllTables === true ? 'missing' : undefined);
}

/** The findings that depend on tables and columns: a cube set may have those of another datamodel. */
const catalogDependentCodes: ReadonlySet<string> = new Set<RuleLintCode>([
  'unknown-table',
  'unknown-column',
  'date-column',
  'datatype-mismatch',
]);

/**
 * Describes an unknown table or column in the rules of a cube set; `undefined` for any other finding.
 * @param knownTable the table that the rule is on
 */
function describeCubeSetFinding(
  { code, args: [table = '', column = ''] }: RuleFinding,
  knownTable: ReturnType<typeof findTable>,
  names: ItemNames,
): Pick<Finding, 'message' | 'statement' | 'detail'> | undefined {
  if (code === 'unknown-table') {
    return suggestName(
      createMessage(
        'No datamodel in the project has a table "{0}". Unless another datamodel in the cube set has it, the rule has no effect.',
        table,
      ),
      findSimilarName(table, names.listCubeSetTables()),
    );
  }
  return code === 'unknown-column'
    ? suggestName(
        createMessage(
          'No datamodel in the project has a column "{0}.{1}". Unless another datamodel in the cube set has it, the rule has no effect.',
          table,
          column,
        ),
        findSimilarName(
          column,
          typeof knownTable === 'object' ? knownTable.columns.map(({ name }) => name) : [],
        ),
      )
    : undefined;
}

const suggestName = (
  message: Message,
  similarName: string | undefined,
): Pick<Finding, 'message' | 'statement' | 'detail'> => {
  const description = toDescription(message);
  return { ...description, ...withSuggestion(description.message, similarName) };
};

/** Replaces the references to numbered parties by texts, which the linter expects. */
function stringifyNumberedReferences(rule: JsonValue): JsonValue {
  const shares = getMember(rule, 'shares');
  return isJsonObject(rule) && isJsonArray(shares)
    ? {
        ...rule,
        shares: shares.map((share) =>
          isJsonObject(share) && isNumberedReference(share['party'])
            ? { ...share, party: stringify(share['party']) }
            : share,
        ),
      }
    : rule;
}

const isNumberedReference = (value: JsonValue | undefined): boolean =>
  getMember(value, 'bound') !== undefined;

function checkViewpoint({ content, path, text }: FileItem, names: ItemNames): readonly Finding[] {
  const titlePath = ['details', 'datasource', 'title'];
  const title = titlePath.reduce<JsonValue | undefined>(getMember, content);
  const model = typeof title === 'string' ? names.getDatamodel(title) : undefined;
  const locator = new FileLocator(text);
  const { document } = locator;
  const appliesToFiles = ({ code, reason, path: valuePath, args }: ViewpointProblem): boolean => {
    const node = findNodeAtPath(document.root, valuePath)?.node;
    const isParty =
      reason === 'wrong-item' &&
      valuePath[0] === 'visibility' &&
      node !== undefined &&
      isNumberedReference(toJsonValue(node));
    const isUndecided = code === 'unknown-table' && model?.hasAllTables === false;
    const isFormerName = reason === 'unknown-key' && valuePath.length <= 1 && args[0] === renamedFromMember;
    // Unlike on the server, files may have trailing commas and a former name, and parties without a name are objects.
    return reason !== 'trailing-comma' && !isParty && !isUndecided && !isFormerName;
  };
  const findMeant = ({ code, args: [first = '', second = ''] }: ViewpointProblem): string | undefined =>
    findMeantTableOrColumn(
      code,
      code === 'unknown-table' ? { table: first, column: '' } : { table: second, column: first },
      model?.catalog.tables ?? [],
    );
  const findings = lintParsedViewpoint(document, model?.lookup ?? new DatamodelLookup(undefined))
    .filter(appliesToFiles)
    .map(
      (problem): Finding => ({
        path,
        ...locator.locate(problem),
        severity: problem.severity,
        code: `viewpoint/${problem.code}`,
        ...withSuggestion(problem.message, findMeant(problem)),
        detail: { kind: 'viewpoint', problem },
      }),
    );
  return typeof title === 'string' && names.isDatamodelMissing(title)
    ? [
        ...findings,
        {
          path,
          ...locator.locatePath(titlePath),
          // Only a warning: an instance keeps the viewpoints of a deleted datamodel, so a pulled project has them, too.
          severity: 'warning',
          code: 'viewpoint/unknown-datamodel',
          ...describeUnknownName(
            createMessage('The project has no datamodel "{0}".', title),
            { name: title, path: titlePath },
            names.listDatamodels(),
          ),
        },
      ]
    : findings;
}
