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
import type { Viewpoint } from '../../contract/viewpoint.ts';
import type { DocumentRef } from '../../documents/documentAddress.ts';
import type { JsonDocumentKind } from '../../json/language/documentKind.ts';
import { type DocumentProblem, getDocumentProblems } from '../../json/language/problems.ts';
import { findDatamodelTitle } from '../../json/language/datamodelTitle.ts';
import { type JsonDocument, parseJson } from '../../json/text/parseJson.ts';
import type { Catalog } from '../../sql/catalog.ts';

/** A document of an instance that has problems. */
export interface InvalidDocument {
  readonly ref: DocumentRef;
  readonly name: string;
  readonly within: readonly string[];
  readonly problems: readonly DocumentProblem[];
  readonly catalog: Catalog | undefined;
}

/** The result of checking an instance. */
export interface InstanceFindings {
  /** The number of documents that were checked. */
  readonly checkedCount: number;
  readonly invalid: readonly InvalidDocument[];
  /** The names of what could not be read: datamodels, whose rules were not checked, or the viewpoints. */
  readonly unreadable: readonly string[];
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
  readonly #report: (message: string) => void;
  readonly #invalid: InvalidDocument[] = [];
  readonly #unreadable: string[] = [];
  readonly #catalogs = new Map<string, Catalog>();
  #checkedCount = 0;

  constructor(
    { session, log }: { readonly session: Session; readonly log: Log },
    signal: AbortSignal,
    report: (message: string) => void,
  ) {
    this.#session = session;
    this.#catalog = session.catalog.fresh();
    this.#log = log;
    this.#signal = signal;
    this.#report = report;
  }

  /**
   * Checks the instance.
   * @throws ApiError if the list of datamodels cannot be loaded, CancellationError
   */
  async run(): Promise<InstanceFindings> {
    const { value: datamodels, unreadable } = await this.#catalog.readable.datamodels();
    this.#unreadable.push(...unreadable.map(getUnreadableItemMessage));
    for (const [index, datamodel] of datamodels.entries()) {
      this.#throwIfAborted();
      this.#report(vscode.l10n.t('Rules of datamodel {0} of {1}', index + 1, datamodels.length));
      await this.#recordingUnreadable(datamodel.title, async () => {
        const { catalog } = await this.#catalog.names.get(datamodel.oid);
        this.#catalogs.set(datamodel.title, catalog);
        await this.#checkRules(getRuleSubject(datamodel), catalog);
      });
    }
    for (const { name, server } of this.#session.connection.cubeSets ?? []) {
      this.#throwIfAborted();
      this.#report(vscode.l10n.t('Rules of cube set {0}', name));
      // No request returns the tables and columns of a cube set, so names are not checked.
      await this.#recordingUnreadable(name, () =>
        this.#checkRules(getCubeSetRuleSubject(name, server), undefined),
      );
    }
    await this.#recordingUnreadable(vscode.l10n.t('Viewpoints'), () => this.#checkViewpoints());
    return { checkedCount: this.#checkedCount, invalid: this.#invalid, unreadable: this.#unreadable };
  }

  /** Runs a check. If it fails, records the name of what could not be read, and the other checks continue. */
  async #recordingUnreadable(name: string, check: () => Promise<void>): Promise<void> {
    try {
      await check();
    } catch (error) {
      this.#throwIfAborted();
      this.#log.warn('catalog', 'Not checked', { reason: String(error) });
      this.#unreadable.push(name);
    }
  }

  async #checkRules(subject: RuleSubject, catalog: Catalog | undefined): Promise<void> {
    const rules = await this.#catalog.rules(subject);
    const byColumn = Map.groupBy(rules, ({ table, column }) => JSON.stringify([table, column]));
    for (const group of byColumn.values()) {
      const { table, column } = group[0] ?? { table: '', column: '' };
      this.#check('rules', parseJson(stringify(group)), catalog, {
        ref: { kind: 'columnRules', subject, table, column },
        name: `${table}.${column}`,
        within: [getSubjectTitle(subject), vscode.l10n.t('Data Security')],
      });
    }
  }

  async #checkViewpoints(): Promise<void> {
    const seen = new Set<string>();
    await loadCompleteList<Viewpoint>({
      page: async (offset) => {
        this.#throwIfAborted();
        const query = { with: ['visibility', 'details'], offset, limit: pageSize } as const;
        const { value } = await this.#session.client.viewpoints.list(query, this.#signal);
        // Check each page at once, so that its problems are reported even if a later page fails.
        for (const viewpoint of value.viewpoints.filter(({ id }) => !seen.has(id))) {
          seen.add(viewpoint.id);
          this.#checkViewpoint(viewpoint);
        }
        return { items: value.viewpoints, total: value.total };
      },
      getId: ({ id }) => id,
      onProgress: (read, total) =>
        this.#report(
          total === undefined
            ? vscode.l10n.t('{0} viewpoints', read)
            : vscode.l10n.t('{0} of {1} viewpoints', read, total),
        ),
    });
  }

  #checkViewpoint(viewpoint: Viewpoint): void {
    const json = parseJson(stringify(viewpoint));
    const title = findDatamodelTitle('viewpoint', json)?.title;
    this.#check('viewpoint', json, title === undefined ? undefined : this.#catalogs.get(title), {
      ref: { kind: 'viewpoint', viewpointId: viewpoint.id },
      name: viewpoint.name ?? viewpoint.id,
      within: [],
    });
  }

  #check(
    kind: JsonDocumentKind,
    json: JsonDocument,
    catalog: Catalog | undefined,
    document: Pick<InvalidDocument, 'ref' | 'name' | 'within'>,
  ): void {
    this.#checkedCount += 1;
    const problems = getDocumentProblems(kind, json, catalog);
    if (problems.length > 0) {
      this.#invalid.push({ ...document, problems, catalog });
    }
  }

  #throwIfAborted(): void {
    if (this.#signal.aborted) {
      throw new vscode.CancellationError();
    }
  }
}
