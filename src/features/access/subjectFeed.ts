import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { sameSubject } from '../../catalog/ruleSubject.ts';
import type { Session, SessionChange } from '../../connections/sessions.ts';
import type { SubjectTarget } from '../../contributions.ts';
import type { Rule } from '../../contract/rule.ts';
import { userMessage } from '../../platform/userErrors.ts';
import type { SeenParty, ToAccess } from '../../protocol/access.ts';
import { accessData, partiesOfRules, partiesOfViewpoints } from './accessData.ts';
import type { AccessFeatureDeps } from './deps.ts';

interface FeedOptions {
  readonly post: (message: ToAccess) => void;
  /** The rules as the page is to have them. */
  readonly rules: (session: Session) => Promise<readonly Rule[]>;
}

/** Tells a page the rules of a datamodel or cube set, its tables and who is known there, whenever they change. */
export class SubjectFeed extends DisposableStore {
  readonly #deps: AccessFeatureDeps;
  readonly #target: SubjectTarget;
  readonly #options: FeedOptions;
  #rules: readonly Rule[] = [];
  #loads = 0;

  constructor(deps: AccessFeatureDeps, target: SubjectTarget, options: FeedOptions) {
    super();
    this.#deps = deps;
    this.#target = target;
    this.#options = options;
    this.add(deps.sessions.onDidChangeCatalog((change) => void this.#changed(change)));
    this.add(deps.sessions.onDidEnd((connectionId) => this.#ended(connectionId)));
  }

  /** The rules as the page was last told them. */
  get rules(): readonly Rule[] {
    return this.#rules;
  }

  /** As {@link load}, with tables and relations that others have changed since the list of datamodels was read. */
  async loadAnew(): Promise<void> {
    try {
      const { catalog } = await this.#deps.sessions.get(this.#target.connectionId);
      await catalog.revalidate();
    } catch (error) {
      // The load meets the same, and tells it.
      this.#deps.log.warn('access', 'Looking for changes failed', { reason: String(error) });
    }
    await this.load();
  }

  /** Loads overlap when things change quickly: only the last one is told. */
  async load(): Promise<void> {
    const { connectionId, subject } = this.#target;
    this.#loads += 1;
    const load = this.#loads;
    try {
      const session = await this.#deps.sessions.get(connectionId);
      const rules = await this.#options.rules(session);
      const data = await accessData(session, { subject, rules }, this.#deps.log);
      if (load !== this.#loads) {
        return;
      }
      this.#rules = rules;
      this.#post(data);
      this.#post({ type: 'parties', parties: partiesOfRules(rules) });
    } catch (error) {
      if (load === this.#loads) {
        this.#post({ type: 'failed', message: userMessage(error) });
      }
      return;
    }
    await this.#loadMoreParties();
  }

  async findGroup(name: string): Promise<void> {
    try {
      const { client } = await this.#deps.sessions.get(this.#target.connectionId);
      const { value } = await client.groups.find(name);
      this.#post({ type: 'group', name, ...(value === undefined ? {} : { id: value._id }) });
    } catch (error) {
      this.#post({ type: 'group', name, problem: userMessage(error) });
    }
  }

  /** A tab that was closed meanwhile takes no messages. */
  #post(message: ToAccess): void {
    if (!this.isDisposed) {
      this.#options.post(message);
    }
  }

  /** Instances without viewpoints answer with an error (spec, "Versioning"); the page does without their names. */
  async #loadMoreParties(): Promise<void> {
    try {
      const { catalog } = await this.#deps.sessions.get(this.#target.connectionId);
      const { viewpoints } = await catalog.viewpoints.first();
      const keyOf = ({ type, id }: SeenParty): string => `${type}:${id}`;
      const known = new Set(partiesOfRules(this.#rules).map(keyOf));
      const parties = partiesOfViewpoints(viewpoints).filter((party) => !known.has(keyOf(party)));
      this.#post({ type: 'parties', parties });
    } catch (error) {
      this.#deps.log.debug('access', 'No parties of viewpoints', { reason: String(error) });
    }
  }

  /** What was read through a session that has ended is no longer to be shown. */
  #ended(connectionId: string): void {
    if (connectionId === this.#target.connectionId) {
      this.#loads += 1;
      this.#post({ type: 'failed', message: vscode.l10n.t('The connection was closed or changed.') });
    }
  }

  async #changed({ connectionId, change }: SessionChange): Promise<void> {
    const isMeant =
      change.kind === 'all' ||
      change.kind === 'datamodels' ||
      change.kind === 'datamodel' ||
      (change.kind === 'rules' && sameSubject(change.subject, this.#target.subject));
    if (connectionId === this.#target.connectionId && isMeant) {
      await this.load();
    }
  }
}
