import { getRefKey } from '../../catalog/resourceRef.ts';
import {
  getCubeSetRuleSubject,
  getRuleSubject,
  isCubeSetRuleSubject,
  isSameSubject,
  type RuleSubject,
} from '../../catalog/ruleSubject.ts';
import type { JsonObject } from '../../base/json.ts';
import { AddressError, HttpError } from '../../client/errors.ts';
import { datamodelSchema } from '../../contract/datamodel.ts';
import type { DocumentReader } from '../model/documentReader.ts';
import type { Operation, Write } from '../model/operation.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import { getObjects, getText } from '../model/jsonMembers.ts';
import { Documents } from '../model/snapshot.ts';
import { getNameEffects, type NameEffect } from '../rules/nameEffects.ts';
import { type DatamodelSubjects, addRuleDatamodels, findDatamodelSubjects } from '../rules/ruleDatamodels.ts';
import type { WriteSession } from './runOptions.ts';

/** What is needed to read the rules of an operation. */
interface RuleSources {
  readonly session: Pick<WriteSession, 'catalog'>;
  readonly reader: DocumentReader;
  /** The known cube sets: their rules may be on tables of any extract datamodel. */
  readonly cubeSets: readonly RuleSubject[];
}

/**
 * The names of the tables of a datamodel whose names, or names of columns, an operation changes; `'any'` if it may be
 * any table.
 */
type ChangedTables = ReadonlySet<string> | 'any';

/**
 * Reads the rules on the tables that an operation creates, renames, shows, or deletes, or whose columns it creates,
 * renames, shows, or deletes: the rules of their datamodels, and those of the cube sets. They are recorded with the
 * operation: what it makes visible must be as restricted as it was when the operation began, and so must what its undo
 * gives back. Rules that can't be read are left out.
 * @param before the documents from before the operation, which may contain some of the rules
 * @returns all documents to record; those of rules also have the datamodels to which they may apply
 * @throws ApiError
 */
export async function readRulesInForce(
  { writes }: Pick<Operation, 'writes'>,
  before: readonly ReadDocument[],
  { session, reader, cubeSets }: RuleSources,
): Promise<readonly ReadDocument[]> {
  const changed = collectChangedTables(getNameEffects(writes, before));
  if (changed.size === 0 && !before.some(({ ref }) => 'subject' in ref)) {
    return before;
  }
  const subjects = await findSubjects(writes, before, session);
  const tablesBySubject = [...subjects].flatMap(([key, subject]) => {
    const tables = changed.get(key);
    return subject === undefined || tables === undefined
      ? []
      : [subject, ...(subject.kind === 'extract' ? cubeSets : [])].map((each) => ({ subject: each, tables }));
  });
  const grouped = Map.groupBy(tablesBySubject, ({ subject }) => getRefKey({ kind: 'rules', subject }));
  const recordedKeys = new Set(before.map(({ ref }) => getRefKey(ref)));
  const rules: ReadDocument[] = [];
  for (const [key, group] of grouped) {
    const [first] = group;
    if (first !== undefined && !recordedKeys.has(key)) {
      const tables = group.map((each) => each.tables).reduce(uniteTables);
      rules.push(
        ...(await readRules(first.subject, tables, reader)).filter(
          ({ ref }) => !recordedKeys.has(getRefKey(ref)),
        ),
      );
    }
  }
  return addRuleDatamodels([...before, ...rules], subjects);
}

/** Returns the changed tables by their datamodels. */
function collectChangedTables(effects: readonly NameEffect[]): ReadonlyMap<string, ChangedTables> {
  const changed = new Map<string, ChangedTables>();
  for (const { datamodelKey, tables } of effects) {
    if (tables === 'any' || tables.length > 0) {
      const added = tables === 'any' ? tables : new Set(tables);
      changed.set(datamodelKey, uniteTables(changed.get(datamodelKey) ?? new Set(), added));
    }
  }
  return changed;
}

const uniteTables = (a: ChangedTables, b: ChangedTables): ChangedTables =>
  a === 'any' || b === 'any' ? 'any' : a.union(b);

/** Reads the rules on some tables, as one document per column. */
async function readRules(
  subject: RuleSubject,
  tables: ChangedTables,
  reader: DocumentReader,
): Promise<readonly ReadDocument[]> {
  try {
    const rules = getObjects(await reader.readDocument({ kind: 'rules', subject })).filter(
      ({ table, column }) =>
        getText(table) !== '' && getText(column) !== '' && (tables === 'any' || tables.has(getText(table))),
    );
    return [...Map.groupBy(rules, getColumnKey).values()].map((document): ReadDocument => {
      const [{ table = null, column = null } = {}] = document;
      return {
        ref: { kind: 'columnRules', subject, table: getText(table), column: getText(column) },
        document,
      };
    });
  } catch (error) {
    if (isUnreadable(error, subject)) {
      return [];
    }
    throw error;
  }
}

const getColumnKey = ({ table, column }: JsonObject): string =>
  JSON.stringify([getText(table), getText(column)]);

/**
 * Returns whether rules can't be read, and that is no reason to stop: the user isn't allowed to, the title of their
 * datamodel can't be part of an address, or the server has failed to return those of a cube set, which may not even
 * exist.
 */
const isUnreadable = (error: unknown, subject: RuleSubject): boolean =>
  error instanceof AddressError ||
  (error instanceof HttpError &&
    (error.isForbidden ||
      (isCubeSetRuleSubject(subject) && !error.isUnauthorized && !error.isTooManyRequests)));

/** Returns the subjects of the datamodels whose tables an operation writes, by `getDatamodelKey`. */
async function findSubjects(
  writes: readonly Write[],
  before: readonly ReadDocument[],
  { catalog }: RuleSources['session'],
): Promise<DatamodelSubjects> {
  const documents = new Documents(before);
  return findDatamodelSubjects(writes, async (datamodelId) => {
    const document = documents.get({ kind: 'datamodel', datamodelId });
    return getRuleSubject(
      datamodelSchema.safeParse(document).data ??
        catalog.getKnownDatamodel(datamodelId) ??
        (await catalog.datamodel(datamodelId)),
    );
  });
}

/** Returns the cube sets whose rules may be on the tables of an operation, each once. */
export const getCubeSetSubjects = (
  { cubeSets = [] }: Pick<Operation, 'cubeSets'>,
  known: readonly RuleSubject[],
): readonly RuleSubject[] =>
  [...known, ...cubeSets.map((name) => getCubeSetRuleSubject(name))].filter(
    (subject, index, all) => all.findIndex((other) => isSameSubject(subject, other)) === index,
  );
