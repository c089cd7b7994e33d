import * as vscode from 'vscode';
import { getUnreadableMessages } from '../../platform/unreadableMessages.ts';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { InstanceCatalog } from '../../catalog/instanceCatalog.ts';
import {
  type RuleSubject,
  getCubeSetRuleSubject,
  getRuleSubject,
  getSubjectTitle,
} from '../../catalog/ruleSubject.ts';
import { loadCompleteList } from '../../catalog/loadCompleteList.ts';
import type { Connection } from '../../connections/connection.ts';
import type { Session } from '../../connections/sessions.ts';
import type { Datamodel } from '../../contract/datamodel.ts';
import type { Rule } from '../../contract/rule.ts';
import { defaultServer } from '../../contract/terms.ts';
import type { Viewpoint } from '../../contract/viewpoint.ts';
import { getViewpointColumns, readsFromSubject } from '../../changes/plan/viewpointColumns.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import { auditRules } from '../../security/audit/auditRules.ts';
import { auditRuleCount, auditTables } from '../../security/audit/auditTables.ts';
import { auditViewpoints } from '../../security/audit/auditViewpoints.ts';
import type { AuditedSubject } from '../../security/audit/groupFindings.ts';

/** The findings for one datamodel or cube set. */
export interface SubjectAudit extends AuditedSubject {
  readonly subject: RuleSubject;
  readonly rules: readonly Rule[];
  /** The datamodel, including its tables if it has rules; absent for a cube set. */
  readonly datamodel?: Datamodel;
  /** Why the audit of this datamodel or cube set is incomplete. */
  readonly problem?: string;
}

/** The findings for all datamodels and cube sets of a connection. */
export interface InstanceAudit {
  readonly connectionName: string;
  readonly connectionId: string;
  /** The address of the instance in baselines. */
  readonly instanceAddress: string;
  readonly auditedAt: number;
  readonly subjectAudits: readonly SubjectAudit[];
  /** The names of the viewpoints, by ID. */
  readonly viewpointNames: ReadonlyMap<string, string>;
  /** The datamodels that could not be read, and why. */
  readonly datamodelProblem?: string;
  /** Why the viewpoints could not be audited. */
  readonly viewpointProblem?: string;
}

/**
 * Creates a function that returns whether the audit of the datamodel or cube set with a given key is complete. If the
 * audit contains no such datamodel or cube set, it has been deleted, so the result is true, unless some datamodels
 * could not be read.
 */
export function createCompletenessCheck({
  subjectAudits,
  datamodelProblem,
  viewpointProblem,
}: InstanceAudit): (key: string) => boolean {
  const problems = new Map(subjectAudits.map(({ key, problem }) => [key, problem]));
  return (key) =>
    viewpointProblem === undefined &&
    (problems.has(key) ? problems.get(key) === undefined : datamodelProblem === undefined);
}

interface AuditContext {
  readonly session: Session;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly reportProgress: (message: string) => void;
}

/** The number of viewpoints per request. */
const pageSize = 200;

/**
 * Audits the rules of every datamodel and cube set of a connection. Read errors do not stop the audit; they are part of
 * its result.
 * @throws the reason of the signal if it is aborted, and ApiError if the datamodels cannot be listed
 */
export async function auditInstance(context: AuditContext): Promise<InstanceAudit> {
  const { session, reportProgress } = context;
  const { connection } = session;
  // Bypasses cached data: users who repeat the audit want to know whether something has changed.
  const catalog = session.catalog.createEmptyCopy();
  const readResult = await catalog.partial.datamodels();
  const { value: datamodels, unreadable } = readResult;
  reportProgress(vscode.l10n.t('Loading the viewpoints'));
  const viewpoints = await tryRead(context, () => loadAllViewpoints(context));
  const audits: SubjectAudit[] = [];
  for (const [index, datamodel] of datamodels.entries()) {
    reportProgress(vscode.l10n.t('Datamodel {0} of {1}', index + 1, datamodels.length));
    audits.push(
      await auditSubject(
        { ...context, catalog },
        getRuleSubject(datamodel),
        datamodel,
        viewpoints.value ?? [],
      ),
    );
  }
  for (const { name, server } of connection.cubeSets ?? []) {
    audits.push(
      await auditSubject(
        { ...context, catalog },
        getCubeSetRuleSubject(name, server),
        undefined,
        viewpoints.value ?? [],
      ),
    );
  }
  return {
    connectionName: connection.name,
    connectionId: connection.id,
    instanceAddress: getBaselineAddress(connection),
    auditedAt: context.clock.now(),
    subjectAudits: audits,
    ...(unreadable.length === 0 ? {} : { datamodelProblem: getUnreadableMessages(readResult).join('; ') }),
    viewpointNames: new Map((viewpoints.value ?? []).map(({ id, name }) => [id, name ?? id])),
    ...(viewpoints.problem === undefined ? {} : { viewpointProblem: viewpoints.problem }),
  };
}

interface ReadAttempt<Value> {
  readonly value?: Value;
  readonly problem?: string;
}

async function tryRead<Value>(
  { signal, log }: AuditContext,
  read: () => Promise<Value>,
): Promise<ReadAttempt<Value>> {
  signal.throwIfAborted();
  try {
    return { value: await read() };
  } catch (error) {
    signal.throwIfAborted();
    log.warn('access', 'A part of the audit could not be read', { reason: String(error) });
    return { problem: getUserMessage(error) };
  }
}

async function auditSubject(
  context: AuditContext & { readonly catalog: InstanceCatalog },
  subject: RuleSubject,
  datamodel: Datamodel | undefined,
  viewpoints: readonly Viewpoint[],
): Promise<SubjectAudit> {
  const { catalog } = context;
  const key = getSubjectKey(subject);
  const rules = await tryRead(context, () => catalog.rules(subject));
  if (rules.value === undefined) {
    return { key, subject, rules: [], findings: [], problem: rules.problem ?? '' };
  }
  const needsCatalog = rules.value.length > 0 && datamodel !== undefined;
  const namedDatamodel = needsCatalog
    ? await tryRead(context, () => catalog.namedDatamodels.get(datamodel.oid))
    : {};
  // The rules of a cube set may refer to any extract datamodel.
  const needsCubeSetNames = rules.value.length > 0 && datamodel === undefined;
  const cubeSetCatalog = needsCubeSetNames
    ? await tryRead(context, () => catalog.namedDatamodels.getForCubeSet())
    : {};
  const datamodelCatalog = namedDatamodel.value?.catalog;
  const knownDatamodel = namedDatamodel.value?.datamodel ?? datamodel;
  const problem =
    namedDatamodel.problem ??
    cubeSetCatalog.problem ??
    (datamodelCatalog?.complete === false ? describeUnknownColumns() : undefined);
  return {
    key,
    subject,
    rules: rules.value,
    ...(knownDatamodel === undefined ? {} : { datamodel: knownDatamodel }),
    findings: [
      ...auditRuleCount(rules.value, datamodel === undefined),
      ...auditRules(rules.value, datamodel === undefined ? cubeSetCatalog.value : datamodelCatalog),
      ...(datamodelCatalog === undefined ? [] : auditTables(rules.value, datamodelCatalog)),
      ...auditViewpoints(getSubjectViewpoints(viewpoints, subject), rules.value, datamodelCatalog),
    ],
    ...(problem === undefined ? {} : { problem }),
  };
}

const describeUnknownColumns = (): string =>
  vscode.l10n.t("Some columns are unknown, so tables without effective rules can't be determined.");

/** Returns a name of a datamodel or cube set that is unique within its instance and the same in every audit. */
function getSubjectKey(subject: RuleSubject): string {
  const title = getSubjectTitle(subject);
  if (subject.kind === 'live') {
    return `live:${title}`;
  }
  return subject.server === defaultServer ? title : `${subject.server}/${title}`;
}

/**
 * Returns the address of an instance for baselines, without the parts that differ between users. A sandbox has a fixed
 * name instead of an address, since its port changes.
 */
function getBaselineAddress(connection: Connection): string {
  if (connection.kind === 'sandbox') {
    return 'sandbox';
  }
  const { origin, pathname } = new URL(connection.url);
  const address = `${origin}${pathname.replace(/\/+$/, '')}`;
  return connection.tenantId === undefined ? address : `${address} (${connection.tenantId})`;
}

const getSubjectViewpoints = (viewpoints: readonly Viewpoint[], subject: RuleSubject) =>
  viewpoints
    .filter((viewpoint) => readsFromSubject(viewpoint, subject))
    .map((viewpoint) => ({
      id: viewpoint.id,
      name: viewpoint.name ?? viewpoint.id,
      groups: viewpoint.visibility?.groups ?? [],
      tables: [...new Set(getViewpointColumns(viewpoint).map(({ table }) => table))],
    }));

const loadAllViewpoints = ({ session, signal }: AuditContext): Promise<readonly Viewpoint[]> =>
  loadCompleteList({
    loadPage: async (offset) => {
      const query = { with: ['visibility', 'details'], offset, limit: pageSize } as const;
      const { viewpoints: items, total } = (await session.client.viewpoints.list(query, signal)).value;
      return { items, total };
    },
    getId: ({ id }) => id,
  });
