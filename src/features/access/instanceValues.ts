import * as vscode from 'vscode';
import type { InstanceCatalog } from '../../catalog/instanceCatalog.ts';
import { getRuleSubject, getSubjectTitle } from '../../catalog/ruleSubject.ts';
import type { Connection } from '../../connections/connection.ts';
import { getCubeSetSubjects } from '../../connections/cubeSetSubjects.ts';
import { KnownValuesReader } from '../../connections/knownValuesReader.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import type { RulesSubject, ProjectNameLists } from '../../project/language/languageCalls.ts';
import { parseColumnId } from '../../project/language/nameIds.ts';
import { ValueIndex } from '../../security/values/valueIndex.ts';
import type { ToAccess } from '../../webviews/protocol/access.ts';
import type { AccessFeatureDeps } from './deps.ts';

const t = vscode.l10n.t;

/** The values that an instance has for the columns of its rules. */
export interface InstanceValues {
  readonly indexes: readonly ValueIndex[];
  /** Why values are missing. */
  readonly problem?: string;
}

/** Reads from an instance the values that the grid offers for the rules on that instance. */
export class InstanceValuesReader {
  readonly #deps: Pick<AccessFeatureDeps, 'sessions' | 'log'>;
  readonly #subject: RulesSubject;
  readonly #reader = new KnownValuesReader();

  /** @param subject the datamodel or cube set whose rules are read */
  constructor(deps: Pick<AccessFeatureDeps, 'sessions' | 'log'>, subject: RulesSubject) {
    this.#deps = deps;
    this.#subject = subject;
  }

  /**
   * @param connection `undefined` if the environment has none
   * @param mayOpenSession whether a session may be opened, though not one that starts the sandbox
   */
  async read(connection: Connection | undefined, mayOpenSession: boolean): Promise<InstanceValues> {
    if (connection === undefined) {
      return {
        indexes: [],
        problem: t('Without a connection to the instance, only values in the files are offered.'),
      };
    }
    const { id, name } = connection;
    try {
      const { sessions } = this.#deps;
      const session = mayOpenSession ? await sessions.getWithoutStartingSandbox(id) : sessions.peek(id);
      if (session === undefined) {
        return {
          indexes: [],
          problem: t("{0} isn't connected, so only values in the files are offered.", name),
        };
      }
      await cacheRules(session.catalog, this.#subject, connection);
      return { indexes: this.#reader.readIndexes(session.catalog) };
    } catch (error) {
      this.#deps.log.warn('access', 'The values could not be read', { reason: String(error) });
      return { indexes: [], problem: t("Can't read the values of {0}. {1}", name, getUserMessage(error)) };
    }
  }
}

/**
 * Creates the message with the values that the grid offers for rules in files: those in the files, and those of the
 * instance.
 * @param members the values in all rules of the project
 */
export function createValuesMessage(
  members: ProjectNameLists['members'] | undefined,
  { indexes, problem }: InstanceValues,
): Extract<ToAccess, { type: 'values' }> {
  const fileValues = [...(members ?? [])].map(([id, values]) => ({ ...parseColumnId(id), values }));
  const instanceValues = indexes
    .flatMap((index) => index.serialize())
    .map(({ values, ...column }) => ({ ...column, values: values.map(([value]) => value) }));
  const columnValues = [...fileValues, ...instanceValues].map((column) => ({
    ...column,
    values: new Set(column.values),
  }));
  return {
    type: 'values',
    lists: [],
    offered: ValueIndex.fromNamedValues(columnValues).serialize(),
    ...(problem === undefined ? {} : { problem }),
  };
}

/** Loads the rules of a datamodel or cube set, if the instance has it. */
async function cacheRules(
  catalog: InstanceCatalog,
  subject: RulesSubject,
  connection: Connection,
): Promise<void> {
  const ruleSubject =
    'cubeSet' in subject
      ? getCubeSetSubjects(connection).find((cubeSet) => getSubjectTitle(cubeSet) === subject.cubeSet)
      : (await catalog.partial.datamodels()).value
          .filter(({ title }) => title === subject.datamodel)
          .map(getRuleSubject)[0];
  if (ruleSubject !== undefined) {
    await catalog.partial.rules(ruleSubject);
  }
}
