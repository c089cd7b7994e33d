import * as vscode from 'vscode';
import { stringify } from '../../base/json.ts';
import { getUnreadableItemMessage } from '../../platform/unreadableMessages.ts';
import type { Log } from '../../base/log.ts';
import type { InstanceCatalog } from '../../catalog/instanceCatalog.ts';
import {
  type RuleSubject,
  getRuleSubject,
  getCubeSetRuleSubject,
  getSubjectTitle,
} from '../../catalog/ruleSubject.ts';
import { loadCompleteList } from '../../catalog/loadCompleteList.ts';
import type { Session } from '../../connections/sessions.ts';
import { KnownValuesReader } from '../../connections/knownValuesReader.ts';
import type { Rule } from '../../contract/rule.ts';
import type { Viewpoint } from '../../contract/viewpoint.ts';
import type { DocumentRef } from '../../documents/documentAddress.ts';
import type { JsonDocumentKind } from '../../json/language/documentKind.ts';
import { type DocumentProblem, getDocumentProblems } from '../../json/language/problems.ts';
import { findDatamodelTitle } from '../../json/language/datamodelTitle.ts';
import { type JsonDocument, parseJsonTree } from '../../json/text/parseJsonTree.ts';
import type { KnownValues } from '../../security/values/knownValues.ts';
import type { Catalog } from '../../sql/catalog.ts';

/** A document of an instance that has problems. */
export interface InvalidDocument {
  readonly ref: DocumentRef;
  readonly name: string;
  readonly within: readonly string[];
  readonly problems: readonly DocumentProblem[];
  /** What the document was checked against. */
  readonly context: CheckContext;
}

interface CheckContext {
  readonly catalog: Catalog | undefined;
  /** The known values of columns, for rules. */
  readonly knownValues?: KnownValues;
}

/** The result of checking an instance. */
export interface InstanceFindings {
  /** The number of documents that were checked. */
  readonly checkedCount: number;
  readonly invalidDocuments: readonly InvalidDocument[];
  /** The names of what could not be read: a datamodel, whose rules were then not checked, or the list of viewpoints. */
  readonly unreadableNames: readonly string[];
}

/** The number of viewpoints per request. */
const pageSize = 200;

/** Checks all viewpoints and rules of an instance with few requests: it reads lists, not single documents. */
export class InstanceValidator {
  readonly #session: Session;
  /** A fresh catalog, since a repeated check should show what has changed. */
  readonly #catalog: InstanceCatalog;
  readonly #log: Log;
  readonly #signal: AbortSignal;
  readonly #reportProgress: (message: string) => void;
  readonly #invalidDocuments: InvalidDocument[] = [];
  readonly #unreadableNames: string[] = [];
  /** The rules that were read. */
  readonly #rules: {
    readonly subject: RuleSubject;
    readonly catalog: Catalog | undefined;
    readonly rules: readonly Rule[];
  }[] = [];
  readonly #catalogsByTitle = new Map<string, Catalog>();
  #checkedCount = 0;

  constructor(
    { session, log }: { readonly session: Session; readonly log: Log },
    signal: AbortSignal,
    reportProgress: (message: string) => void,
  ) {
    this.#session = session;
    this.#catalog = session.catalog.createEmptyCopy();
    this.#log = log;
    this.#signal = signal;
    this.#reportProgress = reportProgress;
  }

  /**
   * Checks the instance.
   * @throws ApiError if the list of datamodels cannot be loaded, CancellationError
   */
  async run(): Promise<InstanceFindings> {
    const { value: datamodels, unreadable } = await this.#catalog.partial.datamodels();
    this.#unreadableNames.push(...unreadable.map(getUnreadableItemMessage));
    for (const [index, datamodel] of datamodels.entries()) {
      this.#throwIfAborted();
      this.#reportProgress(vscode.l10n.t('Rules of datamodel {0} of {1}', index + 1, datamodels.length));
      await this.#tryCheck(datamodel.title, async () => {
        const { catalog } = await this.#catalog.namedDatamodels.get(datamodel.oid);
        this.#catalogsByTitle.set(datamodel.title, catalog);
        await this.#readRules(getRuleSubject(datamodel), catalog);
      });
    }
    for (const { name, server } of this.#session.connection.cubeSets ?? []) {
      this.#throwIfAborted();
      this.#reportProgress(vscode.l10n.t('Rules of cube set {0}', name));
      // No request returns the tables and columns of a cube set, so names are not checked.
      await this.#tryCheck(name, () => this.#readRules(getCubeSetRuleSubject(name, server), undefined));
    }
    this.#checkRules();
    await this.#tryCheck(vscode.l10n.t('Viewpoints'), () => this.#checkViewpoints());
    return {
      checkedCount: this.#checkedCount,
      invalidDocuments: this.#invalidDocuments,
      unreadableNames: this.#unreadableNames,
    };
  }

  /** Runs a check. If it fails, records the name of what could not be read, so that the other checks can continue. */
  async #tryCheck(name: string, check: () => Promise<void>): Promise<void> {
    try {
      await check();
    } catch (error) {
      this.#throwIfAborted();
      this.#log.warn('catalog', 'Not checked', { reason: String(error) });
      this.#unreadableNames.push(name);
    }
  }

  async #readRules(subject: RuleSubject, catalog: Catalog | undefined): Promise<void> {
    this.#rules.push({ subject, catalog, rules: await this.#catalog.rules(subject) });
  }

  /** Checks the rules that were read. The values of each rule are compared with those of all rules. */
  #checkRules(): void {
    const knownValues = new KnownValuesReader().read(this.#catalog);
    for (const { subject, catalog, rules } of this.#rules) {
      const rulesByColumn = Map.groupBy(rules, ({ table, column }) => JSON.stringify([table, column]));
      for (const columnRules of rulesByColumn.values()) {
        const { table, column } = columnRules[0] ?? { table: '', column: '' };
        const document = {
          ref: { kind: 'columnRules', subject, table, column },
          name: `${table}.${column}`,
          within: [getSubjectTitle(subject), vscode.l10n.t('Data Security')],
        } as const;
        this.#checkDocument('rules', parseJsonTree(stringify(columnRules)), document, {
          catalog,
          knownValues,
        });
      }
    }
  }

  async #checkViewpoints(): Promise<void> {
    const checkedIds = new Set<string>();
    await loadCompleteList<Viewpoint>({
      loadPage: async (offset) => {
        this.#throwIfAborted();
        const query = { with: ['visibility', 'details'], offset, limit: pageSize } as const;
        const { value } = await this.#session.client.viewpoints.list(query, this.#signal);
        // Check each page before the next is read, so that its problems are reported even if a later page fails.
        for (const viewpoint of value.viewpoints.filter(({ id }) => !checkedIds.has(id))) {
          checkedIds.add(viewpoint.id);
          this.#checkViewpoint(viewpoint);
        }
        return { items: value.viewpoints, total: value.total };
      },
      getId: ({ id }) => id,
      onProgress: (readCount, total) =>
        this.#reportProgress(
          total === undefined
            ? readCount === 1
              ? vscode.l10n.t('1 viewpoint')
              : vscode.l10n.t('{0} viewpoints', readCount)
            : vscode.l10n.t('{0} of {1} viewpoints', readCount, total),
        ),
    });
  }

  #checkViewpoint(viewpoint: Viewpoint): void {
    const json = parseJsonTree(stringify(viewpoint));
    const title = findDatamodelTitle('viewpoint', json)?.title;
    const document = {
      ref: { kind: 'viewpoint', viewpointId: viewpoint.id },
      name: viewpoint.name ?? viewpoint.id,
      within: [],
    } as const;
    this.#checkDocument('viewpoint', json, document, {
      catalog: title === undefined ? undefined : this.#catalogsByTitle.get(title),
    });
  }

  #checkDocument(
    kind: JsonDocumentKind,
    json: JsonDocument,
    document: Pick<InvalidDocument, 'ref' | 'name' | 'within'>,
    context: CheckContext,
  ): void {
    this.#checkedCount += 1;
    const problems = getDocumentProblems(kind, json, context.catalog, context.knownValues);
    if (problems.length > 0) {
      this.#invalidDocuments.push({ ...document, problems, context });
    }
  }

  #throwIfAborted(): void {
    if (this.#signal.aborted) {
      throw new vscode.CancellationError();
    }
  }
}
