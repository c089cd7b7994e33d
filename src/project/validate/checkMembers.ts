import type * as z from 'zod';
import { type JsonPath, type JsonValue, getMember, isJsonObject } from '../../base/json.ts';
import { type Message, createMessage } from '../../base/localize.ts';
import { datamodelTypes, datasetTypes } from '../../contract/datamodel.ts';
import { buildBehaviorTypes, isPlainColumn, tableTypes } from '../../contract/table.ts';
import { getColumnType, partyTypes } from '../../contract/terms.ts';
import { isJsonArray } from '../../json/text/copyOnWrite.ts';
import { toJsonValue } from '../../json/text/jsonNode.ts';
import type { JsonDocument } from '../../json/text/parseJsonTree.ts';
import { findSimilarWord } from '../../viewpoints/lint/similarWord.ts';
import {
  columnFileSchema,
  customDataFileSchema,
  datamodelFileSchema,
  datasetFileSchema,
  relationFileSchema,
  ruleFileSchema,
  shareFileSchema,
  tableFileSchema,
} from '../files/fileSchemas.ts';
import type { FileItem } from '../files/project.ts';
import { renamedFromMember } from '../item.ts';
import { findCircularColumns } from '../circularNames.ts';
import { FileLocator } from './fileLocator.ts';
import { type Finding, type FindingSeverity, describeMisspelled } from './finding.ts';
import { type SchemaViolation, findSchemaViolations } from '../files/schemaViolations.ts';

/**
 * Checks the members of an item against the schema of its file: the types of their values, unknown values of `type`,
 * and names that are probably misspelled. Viewpoints have a check of their own, and the content of custom data may be
 * anything.
 */
export function checkMembers({ key, content, path, text }: FileItem): readonly Finding[] {
  const locator = new FileLocator(text);
  // A property of a rule takes effect once its name is corrected, so the correction changes access.
  const areRules = key.kind === 'rules' || key.kind === 'cubeSetRules';
  const faults =
    key.kind === 'customData' ? checkCustomDataFile(locator.document) : findFaults(key.kind, content);
  return faults.map(({ path: valuePath, severity, message, meantKey }) => ({
    path,
    ...(meantKey === undefined ? locator.locatePath(valuePath) : locator.locateKey(valuePath)),
    severity,
    code: 'project/schema',
    ...describeMisspelled(
      message,
      meantKey === undefined
        ? undefined
        : {
            name: String(valuePath.at(-1)),
            path: valuePath,
            isKey: true,
            candidates: [meantKey],
            ...(areRules ? { changesAccess: true } : {}),
          },
    ),
  }));
}

interface MemberFault extends SchemaViolation {
  readonly severity: FindingSeverity;
  /** For a misspelled name of a property: the name that was probably meant. */
  readonly meantKey?: string;
}

/**
 * Warns about members beside the content of custom data: they look as if they were part of it, and are never written.
 */
function checkCustomDataFile({ root }: JsonDocument): readonly MemberFault[] {
  const file = root === undefined ? null : toJsonValue(root);
  return Object.keys(isJsonObject(file) ? file : {})
    .filter((name) => !customDataFileMembers.has(name))
    .map((name) =>
      createWarning(
        [name],
        createMessage('Unknown property "{0}". Only what is in "content" is written to the instance.', name),
      ),
    );
}

const customDataFileMembers: ReadonlySet<string> = new Set([
  ...Object.keys(customDataFileSchema.shape),
  // Refers to a schema, for other editors.
  '$schema',
]);

function findFaults(kind: FileItem['key']['kind'], content: JsonValue): readonly MemberFault[] {
  switch (kind) {
    case 'datamodel':
      return [
        ...checkObject(content, { schema: datamodelFileSchema, types: datamodelTypes }),
        ...checkFormerName(
          content,
          createMessage(
            'Apply can\'t rename datamodels: a different title creates a new datamodel. Remove "renamedFrom".',
          ),
        ),
      ];
    case 'dataset':
      return [
        ...checkObject(content, { schema: datasetFileSchema, types: datasetTypes }),
        ...checkPresence(
          content,
          [],
          'type',
          createMessage('Missing "type". Expected: {0}.', datasetTypes.join(', ')),
        ),
        ...checkFormerName(
          content,
          createMessage(
            'Apply can\'t rename datasets: a different name creates a new dataset. Remove "renamedFrom".',
          ),
        ),
      ];
    case 'table':
      return checkTable(content);
    case 'relation':
      return checkObject(content, { schema: relationFileSchema });
    case 'rules':
    case 'cubeSetRules':
      return checkEach(content, [], checkRule);
    case 'tableExpression':
    case 'columnExpression':
    case 'viewpoint':
    case 'customData':
      return [];
  }
}

/**
 * Reports a former name of an item that the platform can't rename (rest-api.md, "Datamodel API"): an apply would create
 * another one, without data.
 */
const checkFormerName = (content: JsonValue, message: Message): readonly MemberFault[] =>
  getMember(content, renamedFromMember) === undefined
    ? []
    : [createError({ path: [renamedFromMember], message })];

function checkTable(table: JsonValue): readonly MemberFault[] {
  const [columns, type] = [getMember(table, 'columns'), getMember(table, 'type')];
  const isCustom = typeof type === 'string' && type.toLowerCase() === 'custom';
  // A datamodel may have tens of thousands of columns, and nearly all of them need no schema.
  const isPlain = isJsonArray(columns) && columns.every(isPlainColumn);
  const checked = isPlain && isJsonObject(table) ? { ...table, columns: [] } : table;
  return [
    ...checkObject(checked, { schema: tableFileSchema, types: tableTypes }),
    ...checkType(getMember(table, 'buildBehavior'), ['buildBehavior'], buildBehaviorTypes),
    ...checkEach(columns, ['columns'], createSpellingCheck(columnMembers)),
    ...checkEach(columns, ['columns'], isCustom ? checkColumnType : checkSourceColumnType),
    ...[...findCircularColumns(table)].map(([index, name]) =>
      createError({
        path: ['columns', index, renamedFromMember],
        message: createMessage(
          "The name of {0} is swapped with the names of other items. This can't be done in one step. First give one of them a temporary name, and apply.",
          name,
        ),
      }),
    ),
  ];
}

/** Warns about an undocumented type of a column (platform-facts.md, 2.3). A later server may have others. */
function checkColumnType(column: JsonValue, path: JsonPath): readonly MemberFault[] {
  const type = getMember(column, 'type');
  return typeof type === 'number' && getColumnType(type) === undefined
    ? [
        createWarning(
          [...path, 'type'],
          createMessage(
            'Unknown column type {0}. Expected: a documented code, such as 8 (Integer), 18 (Text), or 31 (Date).',
            String(type),
          ),
        ),
      ]
    : [];
}

/** Also warns about a missing type, which new columns of base tables need (platform-facts.md, 2.3). */
const checkSourceColumnType: CheckObject = (column, path) => [
  ...checkColumnType(column, path),
  ...checkPresence(
    column,
    path,
    'type',
    createMessage('Missing "type". Expected: a code, such as 8 (Integer), 18 (Text), or 31 (Date).'),
  ),
];

const columnMembers: ReadonlySet<string> = new Set(Object.keys(columnFileSchema.shape));
const ruleMembers: ReadonlySet<string> = new Set(Object.keys(ruleFileSchema.shape));
const shareMembers: ReadonlySet<string> = new Set(Object.keys(shareFileSchema.shape));

/** The members of a rule that determine who sees what. If such a name is misspelled, it's unclear what was meant. */
const decisiveMembers: ReadonlySet<string> = new Set([
  'members',
  'allMembers',
  'exclusionary',
  'shares',
] satisfies readonly (keyof typeof ruleFileSchema.shape)[]);

function checkRule(rule: JsonValue, path: JsonPath): readonly MemberFault[] {
  return [
    ...findSchemaViolations(ruleFileSchema, rule)
      .filter((fault) => !isLinted(fault.path))
      .map((fault) => createError({ ...fault, path: [...path, ...fault.path] })),
    ...checkPresence(rule, path, 'datatype', createMessage('Missing "datatype". Expected: text or numeric.')),
    ...createSpellingCheck(ruleMembers, decisiveMembers)(rule, path),
    ...checkEach(getMember(rule, 'shares'), [...path, 'shares'], (share, sharePath) => [
      ...checkPartyType(share, sharePath),
      ...createSpellingCheck(shareMembers, shareMembers)(share, sharePath),
    ]),
  ];
}

/** Returns whether the linter of rules already reports a value of the wrong type at this path. */
const isLinted = ([name, ...inner]: JsonPath): boolean =>
  name === 'allMembers' || name === 'exclusionary' || (name === 'members' && inner.length > 0);

/** Reports an unknown type of party as an error, because it's unknown who the rule applies to. */
function checkPartyType(share: JsonValue, path: JsonPath): readonly MemberFault[] {
  const type = getMember(share, 'type');
  return typeof type === 'string' && !partyTypes.some((known) => known === type)
    ? [createError({ path: [...path, 'type'], message: describeUnknownType(type, partyTypes) })]
    : [];
}

/** How the members of an object are checked. */
interface ObjectChecks {
  readonly schema: z.ZodObject;
  /** The known values of `type`, in any letter case. A later server may have others, so those are only warnings. */
  readonly types?: readonly string[];
}

function checkObject(value: JsonValue, { schema, types }: ObjectChecks): readonly MemberFault[] {
  return [
    ...findSchemaViolations(schema, value).map(createError),
    ...(types === undefined ? [] : checkType(value, [], types)),
    ...createSpellingCheck(new Set(Object.keys(schema.shape)))(value, []),
  ];
}

/** Warns about an unknown `type` of an object. */
function checkType(
  value: JsonValue | undefined,
  path: JsonPath,
  knownTypes: readonly string[],
): readonly MemberFault[] {
  const type = getMember(value, 'type');
  return typeof type === 'string' && !knownTypes.some((known) => known.toLowerCase() === type.toLowerCase())
    ? [createWarning([...path, 'type'], describeUnknownType(type, knownTypes))]
    : [];
}

type CheckObject = (value: JsonValue, path: JsonPath) => readonly MemberFault[];

/**
 * Returns a check for members whose names differ little from that of a known member, even if that is there, too. It
 * remembers names, because the columns of a table have the same ones.
 * @param decisiveNames the known names whose misspelling is an error, because it leaves unclear who sees what
 */
function createSpellingCheck(
  knownNames: ReadonlySet<string>,
  decisiveNames: ReadonlySet<string> = new Set(),
): CheckObject {
  const similarNames = new Map<string, string | undefined>();
  const findSimilarName = (name: string): string | undefined => {
    if (!similarNames.has(name)) {
      similarNames.set(name, knownNames.has(name) ? undefined : findSimilarWord(name, knownNames));
    }
    return similarNames.get(name);
  };
  return (value, path) =>
    !isJsonObject(value)
      ? []
      : Object.keys(value).flatMap((name) => {
          const similar = findSimilarName(name);
          return similar === undefined
            ? []
            : [
                {
                  ...createWarning([...path, name], createMessage('Unknown property "{0}".', name)),
                  ...(decisiveNames.has(similar) ? { severity: 'error' as const } : {}),
                  meantKey: similar,
                },
              ];
        });
}

const checkEach = (
  list: JsonValue | undefined,
  path: JsonPath,
  check: (entry: JsonValue, path: JsonPath) => readonly MemberFault[],
): readonly MemberFault[] =>
  isJsonArray(list) ? list.flatMap((entry, index) => check(entry, [...path, index])) : [];

/** Warns about a missing member that a request needs. An instance may have it already, so it's not an error. */
const checkPresence = (
  value: JsonValue,
  path: JsonPath,
  name: string,
  message: Message,
): readonly MemberFault[] =>
  isJsonObject(value) && value[name] === undefined ? [createWarning(path, message)] : [];

const describeUnknownType = (type: string, knownTypes: readonly string[]): Message =>
  createMessage('Unknown type {0}. Expected: {1}.', JSON.stringify(type), knownTypes.join(', '));

const createError = (fault: SchemaViolation): MemberFault => ({ ...fault, severity: 'error' });
const createWarning = (path: JsonPath, message: Message): MemberFault => ({
  path,
  message,
  severity: 'warning',
});
