import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { isSameSubject } from '../../catalog/ruleSubject.ts';
import { getCubeSetSubjects } from '../../connections/cubeSetSubjects.ts';
import type { Session, CatalogChangeEvent } from '../../connections/sessions.ts';
import type { SubjectTarget } from '../../contributions.ts';
import type { Rule } from '../../contract/rule.ts';
import { KnownValuesReader } from '../../connections/knownValuesReader.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import type { PartyKind } from '../../catalog/people/userDirectory.ts';
import { resolveTypedParty, describeUnresolvedParty } from '../../platform/resolveTypedParty.ts';
import type { ToAccess } from '../../webviews/protocol/access.ts';
import { loadAccessData, listKnownParties } from './accessData.ts';
import type { AccessFeatureDeps } from './deps.ts';
import { readMembership } from './readMembership.ts';

interface FeedOptions {
  readonly post: (message: ToAccess) => void;
  /** Loads the rules in the form that the page needs. */
  readonly loadRules: (session: Session) => Promise<readonly Rule[]>;
}

/** Posts the rules and tables of a datamodel or cube set, and the known parties, to a page whenever they change. */
export class SubjectFeed extends DisposableStore {
  readonly #deps: AccessFeatureDeps;
  readonly #target: SubjectTarget;
  readonly #options: FeedOptions;
  #rules: readonly Rule[] = [];
  #loadCount = 0;

  constructor(deps: AccessFeatureDeps, target: SubjectTarget, options: FeedOptions) {
    super();
    this.#deps = deps;
    this.#target = target;
    this.#options = options;
    this.add(deps.sessions.onDidChangeCatalog((change) => void this.#handleCatalogChange(change)));
    this.add(deps.sessions.onDidEnd((connectionId) => this.#handleSessionEnd(connectionId)));
    this.add(
      deps.userDirectories.onDidChange((connectionId) => {
        if (connectionId === target.connectionId) {
          void this.#postParties();
        }
      }),
    );
  }

  /** The rules that the page received last. */
  get rules(): readonly Rule[] {
    return this.#rules;
  }

  /** Like {@link load}, but checks first whether tables or relations have changed on the server. */
  async reload(): Promise<void> {
    try {
      const { catalog } = await this.#deps.sessions.get(this.#target.connectionId);
      await catalog.revalidate();
    } catch (error) {
      // The load fails with the same error and reports it.
      this.#deps.log.warn('access', 'Checking for changes failed', { reason: String(error) });
    }
    await this.load();
  }

  /** Loads the data and posts it. Loads may overlap: only the result of the latest one is posted. */
  async load(): Promise<void> {
    const { connectionId, subject } = this.#target;
    this.#loadCount += 1;
    const loadId = this.#loadCount;
    try {
      const session = await this.#deps.sessions.get(connectionId);
      const rules = await this.#options.loadRules(session);
      const cubeSets = getCubeSetSubjects(this.#deps.connections.find(connectionId));
      const data = await loadAccessData(session, { subject, rules, cubeSets }, this.#deps.log);
      if (loadId !== this.#loadCount) {
        return;
      }
      this.#rules = rules;
      // The page reads the values of the rules itself.
      const indexes = new KnownValuesReader().readIndexes(session.catalog, subject);
      this.#post({ type: 'values', lists: indexes.map((index) => index.serialize()) });
      this.#post(data);
    } catch (error) {
      if (loadId === this.#loadCount) {
        this.#post({ type: 'failed', message: getUserMessage(error) });
      }
      return;
    }
    await this.#postParties();
  }

  /** Looks up the user or group that a typed text names, and posts it, or why there is none. */
  async postParty(partyType: PartyKind, text: string): Promise<void> {
    const query = { type: partyType, text };
    const partyMessage = { type: 'party', partyType, text } as const;
    try {
      const resolution = await resolveTypedParty(this.#deps, this.#target.connectionId, query);
      this.#post(
        resolution.kind === 'found'
          ? { ...partyMessage, id: resolution.id, name: resolution.name }
          : { ...partyMessage, problem: describeUnresolvedParty(resolution, query) },
      );
    } catch (error) {
      this.#post({ ...partyMessage, problem: getUserMessage(error) });
    }
  }

  /** Posts the groups of a user and where they are known from. */
  async postMembership(user: string): Promise<void> {
    const { connectionId, subject } = this.#target;
    try {
      const membership = await readMembership(this.#deps, { connectionId, subject }, user, this.#rules);
      this.#post({ type: 'membership', user, ...membership });
    } catch (error) {
      this.#post({ type: 'membership', user, note: getUserMessage(error) });
    }
  }

  /** Posts the groups of a user who may have been created since the users were read. */
  async searchUserAgain(user: string): Promise<void> {
    this.#deps.userDirectories.refresh(this.#target.connectionId);
    await this.postMembership(user);
  }

  /** Posts a message unless the tab has been closed. */
  #post(message: ToAccess): void {
    if (!this.isDisposed) {
      this.#options.post(message);
    }
  }

  /** Posts all known parties. Waits for the first page of viewpoints, since they name groups as well. */
  async #postParties(): Promise<void> {
    const { connectionId } = this.#target;
    try {
      const { catalog } = await this.#deps.sessions.get(connectionId);
      // Viewpoints need a release and a license (rest-api.md, "Versioning"): other instances respond with an error.
      await catalog.viewpoints.loadFirst().catch((error: unknown) => {
        this.#deps.log.debug('access', 'No parties of viewpoints', { reason: String(error) });
      });
      this.#post({
        type: 'parties',
        parties: listKnownParties(await this.#deps.userDirectories.get(connectionId)),
      });
    } catch (error) {
      this.#deps.log.warn('access', 'The users and groups could not be read', { reason: String(error) });
    }
  }

  /** Removes the data from the page: data from an ended session must no longer be shown. */
  #handleSessionEnd(connectionId: string): void {
    if (connectionId === this.#target.connectionId) {
      this.#loadCount += 1;
      this.#post({ type: 'failed', message: vscode.l10n.t('The connection was closed or changed.') });
    }
  }

  async #handleCatalogChange({ connectionId, change }: CatalogChangeEvent): Promise<void> {
    const isAffected =
      change.kind === 'all' ||
      change.kind === 'datamodels' ||
      change.kind === 'datamodel' ||
      (change.kind === 'rules' && isSameSubject(change.subject, this.#target.subject));
    if (connectionId === this.#target.connectionId && isAffected) {
      await this.load();
    }
  }
}
