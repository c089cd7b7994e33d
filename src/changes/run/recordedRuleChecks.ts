import { jsonEquals } from '../../base/canonicalJson.ts';
import { AddressError, HttpError } from '../../client/errors.ts';
import { getRefKey } from '../../catalog/resourceRef.ts';
import { getRuleSubject, type RuleSubject } from '../../catalog/ruleSubject.ts';
import { datamodelSchema } from '../../contract/datamodel.ts';
import type { HistoryEntry } from '../journal/entry.ts';
import type { DocumentReader } from '../model/documentReader.ts';
import type { Write } from '../model/operation.ts';
import { asObject, getObjects, omitMembers } from '../model/jsonMembers.ts';
import { getNameEffects } from '../rules/nameEffects.ts';
import { type DatamodelSubjects, addRuleDatamodels, findDatamodelSubjects } from '../rules/ruleDatamodels.ts';
import { UnrecordedRulesError } from './writeErrors.ts';

type Reader = Pick<DocumentReader, 'readDocument'>;

/**
 * Returns an entry with the datamodels that its recorded rules may apply to: earlier versions recorded only the title
 * of the datamodel. Reads the current titles. If no recorded rules have the title of a datamodel, such as after it was
 * changed, it stays unknown which of them are its rules. Reads nothing if the entry already has the datamodels.
 * @throws ApiError
 */
export async function addRecordedRuleDatamodels(entry: HistoryEntry, reader: Reader): Promise<HistoryEntry> {
  const { operation, before } = entry;
  const rulesWithoutDatamodels = before.filter(
    ({ ref, datamodels }) => 'subject' in ref && datamodels === undefined,
  );
  if (rulesWithoutDatamodels.length === 0) {
    return entry;
  }
  const recordedKeys = new Set(before.map(({ ref }) => getSubjectKey(ref)));
  const subjects = await readSubjects(operation.writes, reader);
  const found = new Map(
    [...subjects].map(([key, subject]) => [
      key,
      subject !== undefined && recordedKeys.has(getSubjectKey({ kind: 'rules', subject }))
        ? subject
        : undefined,
    ]),
  );
  return { ...entry, before: addRuleDatamodels(before, found) };
}

const getSubjectKey = (ref: HistoryEntry['before'][number]['ref']): string | undefined =>
  'subject' in ref ? getRefKey({ kind: 'rules', subject: ref.subject }) : undefined;

const readSubjects = (writes: readonly Write[], reader: Reader): Promise<DatamodelSubjects> =>
  findDatamodelSubjects(writes, async (datamodelId) => {
    const model = datamodelSchema.safeParse(
      await reader.readDocument({ kind: 'datamodel', datamodelId }),
    ).data;
    return model && getRuleSubject(model);
  });

/** Returns the indices of the writes of an operation that aren't done. */
export const getRemainingIndices = ({
  operation,
  writeStates,
}: Pick<HistoryEntry, 'operation' | 'writeStates'>): readonly number[] =>
  [...operation.writes.keys()].filter((index) => writeStates[index]?.state !== 'done');

/**
 * Checks, before an operation of an earlier version is resumed, that it is known which rules its remaining writes rely
 * on. Without a record of these rules, it would go unnoticed if others have deleted some while they restricted nothing.
 * It is known if
 * - it has recorded all rules of the datamodels and cube sets, since it changes them; or
 * - the datamodels and cube sets have no rules now, and the writes only rename: everything that has another name then
 *   is visible already.
 * @param cubeSets the known cube sets: their rules may be on tables of any extract datamodel
 * @throws UnrecordedRulesError if it isn't known
 * @throws ApiError
 */
export async function checkRecordedRules(
  { operation, writeStates, before, recordsRules }: HistoryEntry,
  cubeSets: readonly RuleSubject[],
  reader: Reader,
): Promise<void> {
  if (recordsRules === true || operation.cause === 'undo' || operation.cause === 'restore') {
    return;
  }
  const effects = getNameEffects(operation.writes, before);
  const exposingIndices = getRemainingIndices({ operation, writeStates }).filter(
    (index) => effects[index]?.mayExposeNames === true,
  );
  if (exposingIndices.length === 0) {
    return;
  }
  const recordedKeys = new Set(before.flatMap(({ ref }) => (ref.kind === 'rules' ? getRefKey(ref) : [])));
  const subjects = await readSubjects(operation.writes, reader);
  for (const index of exposingIndices) {
    const subject = subjects.get(effects[index]?.datamodelKey ?? '');
    const write = operation.writes[index];
    const unrecorded = [subject, ...(subject?.kind === 'extract' ? cubeSets : [])].filter(
      (each) => each === undefined || !recordedKeys.has(getRefKey({ kind: 'rules', subject: each })),
    );
    const isKnown =
      unrecorded.length === 0 ||
      (write !== undefined && onlyRenames(write, before) && (await haveNoRules(unrecorded, reader)));
    if (!isKnown) {
      throw new UnrecordedRulesError();
    }
  }
}

/** Returns whether a write changes nothing but the names of a table and of columns that existed before. */
function onlyRenames({ endpoint, target, body }: Write, before: HistoryEntry['before']): boolean {
  const key = target?.kind === 'table' ? getRefKey(target) : undefined;
  const previous = before.find(({ ref }) => getRefKey(ref) === key)?.document;
  if (endpoint !== 'tables.update' || previous === undefined) {
    return false;
  }
  const previousColumns = new Map(
    getObjects(asObject(previous)['columns']).map((column) => [column['oid'], column]),
  );
  const { name: _name, columns, ...others } = asObject(body);
  return (
    Object.keys(others).length === 0 &&
    getObjects(columns).every((column) => {
      const earlier = previousColumns.get(column['oid']);
      return earlier !== undefined && jsonEquals(omitMembers(column, 'name'), omitMembers(earlier, 'name'));
    })
  );
}

/** Returns whether datamodels and cube sets certainly have no rules now. */
async function haveNoRules(subjects: readonly (RuleSubject | undefined)[], reader: Reader): Promise<boolean> {
  for (const subject of subjects) {
    if (subject === undefined || (await countRules(subject, reader)) !== 0) {
      return false;
    }
  }
  return true;
}

/** Counts the rules of a datamodel or cube set; `undefined` if they can't be read. */
async function countRules(subject: RuleSubject, reader: Reader): Promise<number | undefined> {
  try {
    return getObjects(await reader.readDocument({ kind: 'rules', subject })).length;
  } catch (error) {
    if (error instanceof AddressError || error instanceof HttpError) {
      return undefined;
    }
    throw error;
  }
}
