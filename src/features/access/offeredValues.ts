import * as vscode from 'vscode';
import type { InstanceCatalog } from '../../catalog/instanceCatalog.ts';
import { getRuleSubject, getSubjectTitle } from '../../catalog/ruleSubject.ts';
import type { Connection } from '../../connections/connection.ts';
import { getCubeSetSubjects } from '../../connections/cubeSetSubjects.ts';
import { KnownValuesReader } from '../../connections/knownValuesReader.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import type { RulesSubject, UsedNames } from '../../project/language/languageMessages.ts';
import { parseColumnId } from '../../project/language/nameIds.ts';
import { ValueIndex } from '../../security/values/valueIndex.ts';
import type { ToAccess } from '../../webviews/protocol/access.ts';
import type { AccessFeatureDeps } from './deps.ts';

const t = vscode.l10n.t;

type OfferDeps = Pick<AccessFeatureDeps, 'sessions' | 'log'>;

/**
 * The values that the grid offers for rules in files: those in the files and, if there is a connection to the instance,
 * those that the grid would offer for the rules on the server.
 */
export class OfferedValues {
  readonly #deps: OfferDeps;
  readonly #subject: RulesSubject;
  readonly #reader = new KnownValuesReader();
  #indexes: readonly ValueIndex[] = [];
  /** Why values of the instance are missing. */
  #problem: string | undefined;

  constructor(deps: OfferDeps, subject: RulesSubject) {
    this.#deps = deps;
    this.#subject = subject;
  }

  /**
   * Reads the values of the instance again.
   * @param connection `undefined` if the environment has none
   * @param mayOpenSession whether a session may be opened, though not one that starts the sandbox
   */
  async load(connection: Connection | undefined, mayOpenSession: boolean): Promise<void> {
    this.#indexes = [];
    if (connection === undefined) {
      this.#problem = t('Without a connection to the instance, only values in the files are offered.');
      return;
    }
    const { id, name } = connection;
    try {
      const { sessions } = this.#deps;
      const session = mayOpenSession ? await sessions.getWithoutStartingSandbox(id) : sessions.peek(id);
      if (session === undefined) {
        this.#problem = t("{0} isn't connected, so only values in the files are offered.", name);
        return;
      }
      await loadRules(session.catalog, this.#subject, connection);
      this.#indexes = this.#reader.readIndexes(session.catalog);
      this.#problem = undefined;
    } catch (error) {
      this.#deps.log.warn('access', 'The values could not be read', { reason: String(error) });
      this.#problem = t("The values of {0} can't be read: {1}", name, getUserMessage(error));
    }
  }

  /** @param members the values in all rules of the project */
  toMessage(members: UsedNames['members'] | undefined): Extract<ToAccess, { type: 'values' }> {
    const inFiles = [...(members ?? [])].map(([id, values]) => ({ ...parseColumnId(id), values }));
    const onInstance = this.#indexes
      .flatMap((index) => index.serialize())
      .map(({ values, ...column }) => ({ ...column, values: values.map(([value]) => value) }));
    const named = [...inFiles, ...onInstance].map((column) => ({
      ...column,
      values: new Set(column.values),
    }));
    return {
      type: 'values',
      lists: [],
      offered: ValueIndex.fromNamedValues(named).serialize(),
      ...(this.#problem === undefined ? {} : { problem: this.#problem }),
    };
  }
}

/** Loads the rules of a datamodel or cube set, if the instance has it. */
async function loadRules(
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
