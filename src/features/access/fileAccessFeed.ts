import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { JsonValue } from '../../base/json.ts';
import type { PartyKind } from '../../catalog/people/userDirectory.ts';
import { describeUnresolvedParty } from '../../platform/resolveTypedParty.ts';
import type { FileCatalog } from '../../platform/projects/fileCatalog.ts';
import type { FileDatamodel } from '../../platform/projects/fileDatamodel.ts';
import type { FileCatalogs } from '../../platform/projects/fileCatalogs.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import type { FileLocation, FileRules, RulesSubject } from '../../project/language/languageCalls.ts';
import type { FileRulesReference, ToAccess } from '../../webviews/protocol/access.ts';
import type { AccessFeatureDeps } from './deps.ts';
import { EnvironmentInstance, type UsersAndGroups } from './environmentInstance.ts';
import { FileParties } from './fileParties.ts';
import { createValuesMessage } from './instanceValues.ts';
import { describeUnidentifiedUser } from './readMembership.ts';

const t = vscode.l10n.t;

/** What was read from the files. The lists stay the same objects until they change. */
interface FileContents {
  readonly datamodel: FileDatamodel | undefined;
  readonly rules: KnownFileRules;
}

/** The rules as they were last read. If they are unchanged, a response doesn't contain them. */
type KnownFileRules = FileRules & Required<Pick<FileRules, 'rules' | 'ruleLocations'>>;

/** The rules that a page shows, and the users and groups that it knows. */
interface ShownRules {
  readonly rules: KnownFileRules;
  readonly parties: FileParties;
}

/** Posts the rules and tables of a datamodel or cube set in the files of a project to a page whenever they change. */
export class FileAccessFeed extends DisposableStore {
  readonly #target: FileRulesReference;
  readonly #catalogs: FileCatalogs;
  readonly #post: (message: ToAccess) => void;
  readonly #isForEditing: boolean;
  #loadCount = 0;
  #rules: KnownFileRules | undefined;
  /** What the page has; `undefined` if it shows an error, or nothing yet. */
  #posted:
    | (FileContents & { readonly usersAndGroups: UsersAndGroups; readonly environment: string | undefined })
    | undefined;
  #parties: FileParties | undefined;
  readonly #instance: EnvironmentInstance;

  /** @param options.isForEditing whether the page edits rules: then only parties are posted that files can refer to */
  constructor(
    deps: AccessFeatureDeps,
    target: FileRulesReference,
    catalogs: FileCatalogs,
    post: (message: ToAccess) => void,
    { isForEditing = false }: { readonly isForEditing?: boolean } = {},
  ) {
    super();
    this.#isForEditing = isForEditing;
    this.#target = target;
    this.#catalogs = catalogs;
    this.#post = (message) => {
      if (!this.isDisposed) {
        post(message);
      }
    };
    this.add(
      catalogs.onDidChange((changed) => {
        if (changed === undefined || String(changed.folder) === target.folder) {
          void this.#load();
        }
      }),
    );
    this.#instance = this.add(
      new EnvironmentInstance(deps, {
        findConnection: async () => {
          const catalog = await this.findProject();
          return catalog && catalogs.findConnection(catalog);
        },
        rulesSubject: isForEditing ? target.subject : undefined,
        onChange: async () => {
          await this.#load();
          await this.#postValues();
        },
      }),
    );
    this.add(
      catalogs.onDidChangeConnections(() => {
        void this.#load();
        void this.#instance.reloadIfInstanceChanged();
      }),
    );
  }

  /**
   * Posts everything to a page that has no data yet: first from the files, with the changes that no watcher has reported,
   * then the users and groups of the instance.
   */
  async reload(): Promise<void> {
    await (await this.findProject())?.readUnreportedChanges();
    this.#posted = undefined;
    await this.#load();
    await this.#instance.load(true);
  }

  /** Posts what has changed. If another load begins meanwhile, waits for that one, too. */
  async load(): Promise<void> {
    let count: number;
    do {
      const load = this.#load();
      count = this.#loadCount;
      await load;
    } while (count !== this.#loadCount);
  }

  /** The rules that the page shows; `undefined` if it shows an error, or nothing yet. */
  get shownRules(): ShownRules | undefined {
    const rules = this.#posted?.rules;
    return rules === undefined || this.#parties === undefined ? undefined : { rules, parties: this.#parties };
  }

  /** Returns the location of the rule with an index in the posted rules. */
  async locateRule(index: number): Promise<vscode.Location | undefined> {
    const place = this.#rules?.ruleLocations[index];
    const catalog = await this.findProject();
    const fileLocation: FileLocation | undefined = place && (await catalog?.query('locateRule', place));
    return fileLocation && catalog?.toLocation(fileLocation);
  }

  /** Posts the user or group of the files that a typed text names, or why there is none. */
  postParty(partyType: PartyKind, text: string): void {
    const query = { type: partyType, text };
    const message = { type: 'party', partyType, text } as const;
    const resolution = this.#parties?.resolve(partyType, text);
    if (resolution?.kind === 'known' && !this.#canPost(partyType, resolution.id)) {
      this.#post({
        ...message,
        problem: t(
          'More than one user or group is named {0}, so the file needs a number that only a pull assigns. Add the rule on the server, and then pull.',
          resolution.name,
        ),
      });
      return;
    }
    this.#post(
      resolution?.kind === 'known'
        ? { ...message, id: resolution.id, name: resolution.name }
        : {
            ...message,
            problem: describeUnresolvedParty(
              resolution === undefined || resolution.kind === 'identifier'
                ? { kind: 'unknown', nearest: undefined, isAbsent: true }
                : resolution,
              query,
            ),
          },
    );
  }

  postMembership(user: string): void {
    const resolution = this.#parties?.resolve('user', user);
    const id = resolution?.kind === 'known' ? resolution.id : user;
    const membership = this.#parties?.getMembership(id);
    const isAbsent =
      resolution?.kind === 'several' || (resolution?.kind === 'unknown' && resolution.isAbsent);
    if (membership === undefined && isAbsent) {
      this.#post({ type: 'membership', user, ...describeUnidentifiedUser(resolution, user) });
      return;
    }
    this.#post({
      type: 'membership',
      user,
      id,
      ...(membership ?? {
        note:
          this.#instance.usersAndGroups.directory === undefined
            ? t("Groups unknown: the files don't list the members of groups. Add the user's groups below.")
            : t("Groups unknown: the instance doesn't report them."),
      }),
    });
  }

  /** Posts the groups of a user who may have been created since the users of the instance were read. */
  async searchUserAgain(user: string): Promise<void> {
    await this.#instance.refresh();
    this.postMembership(user);
  }

  /**
   * Loads the contents of the files, and posts them if they have changed. Only the latest of overlapping loads is
   * posted.
   */
  async #load(): Promise<void> {
    this.#loadCount += 1;
    const loadId = this.#loadCount;
    try {
      const result = await this.#read();
      if (loadId !== this.#loadCount) {
        return;
      }
      if (typeof result === 'string') {
        this.#fail(result);
      } else {
        await this.#postContents(result, () => loadId === this.#loadCount);
      }
    } catch (error) {
      if (loadId === this.#loadCount) {
        this.#fail(getUserMessage(error));
      }
    }
  }

  /** Reads the contents of the files. Returns an error message if they can't be shown. */
  async #read(): Promise<FileContents | string> {
    const catalog = await this.findProject();
    if (catalog === undefined) {
      return t('The project is no longer in the workspace.');
    }
    const { subject } = this.#target;
    const title = getDatamodelTitle(subject);
    const datamodel = title === undefined ? undefined : await catalog.getDatamodel(title);
    if (title !== undefined && datamodel === undefined) {
      return t('The project has no datamodel "{0}".', title);
    }
    const result = await catalog.query('getRules', { subject, since: this.#rules?.version });
    const { rules = this.#rules?.rules, ruleLocations = this.#rules?.ruleLocations } = result;
    this.#rules = { ...result, rules: rules ?? [], ruleLocations: ruleLocations ?? [] };
    // Unreadable rules may grant or restrict access to any column. The grid shows only rules, not effective access.
    if (result.unreadablePaths !== undefined && !this.#isForEditing) {
      return t(
        "Effective access is unknown because the rules in these files can't be read: {0}. For details, see the Problems view.",
        formatPaths(result.unreadablePaths),
      );
    }
    return { datamodel, rules: this.#rules };
  }

  async #postContents({ datamodel, rules }: FileContents, isLatest: () => boolean): Promise<void> {
    const { usersAndGroups } = this.#instance;
    const catalog = await this.findProject();
    const environment = catalog && this.#catalogs.findEnvironment(catalog)?.name;
    if (
      this.#posted?.datamodel === datamodel &&
      this.#posted?.rules.version === rules.version &&
      this.#posted.usersAndGroups.directory === usersAndGroups.directory &&
      this.#posted.usersAndGroups.problem === usersAndGroups.problem &&
      this.#posted.environment === environment
    ) {
      return;
    }
    const parties = await this.#createParties(rules.rules, usersAndGroups, environment);
    if (!isLatest()) {
      return;
    }
    const { subject } = this.#target;
    await this.#postValues();
    this.#posted = { datamodel, rules, usersAndGroups, environment };
    this.#parties = parties;
    this.#post({
      type: 'data',
      title: getRulesSubjectTitle(subject),
      kind: datamodel?.datamodel.type === 'live' ? 'live' : 'extract',
      rules: parties.rules,
      source: 'files',
      notes: this.#createNotes({ datamodel, rules }, parties),
      ...(datamodel === undefined ? {} : { catalog: datamodel.catalog }),
    });
    this.#post({
      type: 'parties',
      parties: parties.parties.filter(({ type, id }) => this.#canPost(type, id)),
      replaces: true,
    });
  }

  async #postValues(): Promise<void> {
    if (this.#isForEditing) {
      const names = await (await this.findProject())?.getProjectNames();
      this.#post(createValuesMessage(names?.members, this.#instance.values));
    }
  }

  #canPost(type: PartyKind, id: string): boolean {
    return !this.#isForEditing || this.#parties?.canReference(type, id) !== false;
  }

  async #createParties(
    rules: readonly JsonValue[],
    { directory }: UsersAndGroups,
    environment: string | undefined,
  ): Promise<FileParties> {
    const catalog = await this.findProject();
    const [names, numberedReferences] = await Promise.all([
      catalog?.getProjectNames(),
      environment === undefined ? [] : catalog?.query('getNumberedReferences', environment),
    ]);
    return new FileParties({
      rules,
      names: names ?? { users: [], groups: [] },
      numberedReferences: numberedReferences ?? [],
      directory,
      describeNumber: (number) => t('number {0} in the lock file', number),
    });
  }

  /** Creates notes about what is unknown, and what follows from that. */
  #createNotes({ datamodel, rules }: FileContents, { parties }: FileParties): readonly string[] {
    const { problem, directory } = this.#instance.usersAndGroups;
    return [
      ...(datamodel === undefined
        ? [
            t(
              "The files don't list the datamodels of a cube set, so its tables and relations are unknown. Rules are shown as they are.",
            ),
          ]
        : datamodel.hasAllTables
          ? []
          : [t("Tables are missing because their files can't be read.")]),
      ...(rules.unreadablePaths === undefined
        ? []
        : [
            t(
              'The rules in these files are unknown: {0}. Users might see more or less than shown.',
              formatPaths(rules.unreadablePaths),
            ),
          ]),
      ...(directory !== undefined || !parties.some(({ type }) => type === 'user')
        ? []
        : [
            problem ??
              t(
                "Files don't show which users are in which groups. Without a connection to the instance, only the users and groups named in the files are listed.",
              ),
          ]),
    ];
  }

  #fail(message: string): void {
    this.#posted = undefined;
    this.#post({ type: 'failed', message });
  }

  /** Finds the project again, since its folder may have been removed and restored, such as by checking out a branch. */
  findProject(): Promise<FileCatalog | undefined> {
    return this.#catalogs.findProject(vscode.Uri.parse(this.#target.folder));
  }
}

const getDatamodelTitle = (subject: RulesSubject): string | undefined =>
  'datamodel' in subject ? subject.datamodel : undefined;

/** Returns the title of a datamodel or the name of a cube set. */
export const getRulesSubjectTitle = (subject: RulesSubject): string =>
  'datamodel' in subject ? subject.datamodel : subject.cubeSet;

/** The maximum number of paths to name. */
const maxPaths = 5;

function formatPaths(paths: readonly string[]): string {
  const names = paths.slice(0, maxPaths).join(', ');
  const moreCount = paths.length - maxPaths;
  return moreCount > 0 ? t('{0}, and {1} more', names, moreCount) : names;
}
