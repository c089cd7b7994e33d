import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { SaveIntent } from '../../../../src/documents/saveIntent.ts';
import type { DocumentSaves } from '../../../../src/features/documents/documentSaves.ts';
import { FakeClock } from '../../../fakes/fakeClock.ts';
import { MemoryLog } from '../../../fakes/memoryLog.ts';

const path = '/a/document';
const uri = { scheme: 'datamodel-studio', path, query: '', toString: () => path };
const manualSaveReason = 1;
const autoSaveReason = 2;
const secrets = new Map([['["password"]', { typedValue: 'x' }]]);
const approval = { planHash: {} };

/**
 * Implements the parts of the `vscode` API that saves use. Fires an event before each save; a save fails if its write
 * is rejected.
 */
class Editor {
  readonly #willSave: ((event: unknown) => void)[] = [];
  /** The content of the document. */
  text = '{}';
  readonly document = {
    uri,
    version: 1,
    lineCount: 0,
    getText: () => this.text,
    positionAt: () => 0,
    save: () => this.save(),
  };
  saves: DocumentSaves | undefined;
  /** The buttons that the user presses in the next prompts. */
  answers: string[] = [];
  /** The commands that were run, and what they return. */
  commands: unknown[] = [];
  commandResult: unknown;
  /** Called after the save command and before the write; returns false to cancel the save. */
  beforeWrite: () => Promise<boolean> = () => Promise.resolve(true);

  readonly api = () => {
    const disposable = { dispose: () => undefined };
    const ask = (_text: string, ...actions: readonly string[]) =>
      Promise.resolve(
        actions.find((action) => action === this.answers[0] && this.answers.shift() === action),
      );
    return {
      l10n: { t: (text: string) => text },
      Uri: { from: () => uri },
      Range: Object,
      Diagnostic: Object,
      DiagnosticSeverity: {},
      CancellationError: Error,
      commands: {
        executeCommand: (...command: readonly unknown[]) => {
          this.commands.push(command);
          return Promise.resolve(this.commandResult);
        },
      },
      TextDocumentSaveReason: { Manual: manualSaveReason },
      languages: {
        createDiagnosticCollection: () => ({ ...disposable, set: () => undefined, delete: () => undefined }),
      },
      window: { showWarningMessage: ask, showInformationMessage: ask },
      workspace: {
        textDocuments: [this.document],
        getConfiguration: () => ({ get: () => 'afterDelay' }),
        getWorkspaceFolder: () => undefined,
        onDidChangeTextDocument: () => disposable,
        onDidCloseTextDocument: () => disposable,
        onDidSaveTextDocument: () => disposable,
        onWillSaveTextDocument: (listener: (event: unknown) => void) => {
          this.#willSave.push(listener);
          return disposable;
        },
      },
    };
  };

  async save(reason = manualSaveReason): Promise<boolean> {
    const { beforeWrite } = this;
    this.beforeWrite = () => Promise.resolve(true);
    return (await beforeWrite()) && this.write(reason);
  }

  async write(reason: number): Promise<boolean> {
    this.#willSave.forEach((notify) => notify({ document: this.document, reason }));
    try {
      await this.saves?.write(uri as never, new TextEncoder().encode(this.text));
      return true;
    } catch {
      return false;
    }
  }
}

const editor = new Editor();
const loadModules = async () => ({
  ...(await import('../../../../src/base/versionedTextCache.ts')),
  ...(await import('../../../../src/contributions.ts')),
  ...(await import('../../../../src/documents/refusals.ts')),
  ...(await import('../../../../src/documents/saveErrors.ts')),
  ...(await import('../../../../src/documents/version.ts')),
  ...(await import('../../../../src/features/documents/documentSaves.ts')),
  ...(await import('../../../../src/changes/run/writeErrors.ts')),
});
const { signal } = new AbortController();
const promptModule = '../../../../src/features/documents/promptForDocumentSecrets.ts';
let modules: Awaited<ReturnType<typeof loadModules>>;

beforeAll(async () => {
  vi.resetModules();
  vi.doMock('vscode', editor.api);
  vi.doMock(promptModule, () => ({ promptForDocumentSecrets: () => Promise.resolve(secrets) }));
  modules = await loadModules();
  uri.scheme = modules.schemes.document;
});

afterAll(() => {
  vi.doUnmock('vscode');
  vi.doUnmock(promptModule);
  vi.resetModules();
});

/**
 * Creates saves whose writes have the given outcomes, in order: an error, or success. Records the options of each
 * write.
 */
function createSaves(...outcomes: readonly (Error | (() => Error) | undefined)[]) {
  const writes: { readonly isExplicit: boolean; readonly intent: SaveIntent | undefined }[] = [];
  const recoveredPaths: string[] = [];
  const documents = {
    write: (_path: string, _bytes: Uint8Array, options: (typeof writes)[number]) => {
      writes.push({ isExplicit: options.isExplicit, intent: options.intent });
      const outcome = options.isExplicit
        ? outcomes[writes.length - 1]
        : new modules.DocumentRefusedError('not-explicit');
      return outcome === undefined
        ? Promise.resolve({ report: { writes: [] }, hasComments: false })
        : Promise.reject(typeof outcome === 'function' ? outcome() : outcome);
    },
    merge: (_path: string, text: string) => Promise.resolve({ text, conflicts: [], theirs: createVersion() }),
    adopt: () => undefined,
    handleRecovery: (recoveredPath: string) => {
      recoveredPaths.push(recoveredPath);
      return Promise.resolve();
    },
  };
  const deps = {
    clock: new FakeClock(),
    log: new MemoryLog(),
    jsonTrees: new modules.VersionedTextCache(),
    planReferenceUpdates: () => Promise.resolve([]),
    changeReview: {
      review: (_needed: unknown, run: (token: typeof approval, control: object) => Promise<unknown>) =>
        run(approval, { signal }),
    },
  };
  editor.answers = [];
  editor.commands = [];
  editor.text = '{}';
  editor.saves = new modules.DocumentSaves(deps as never, documents as never, {} as never);
  return { writes, recoveredPaths, saves: editor.saves };
}

const waitForPrompts = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const createVersion = () => modules.Version.create({}, () => false);
const createPlanNeededError = () => new modules.PlanNeededError({ severity: 'breaks' } as never, {} as never);

test('a save that overwrites and then needs a review is sent with both decisions', async () => {
  const version = createVersion();
  const { writes } = createSaves(
    new modules.DocumentConflictError(path, version, version),
    createPlanNeededError(),
  );
  editor.answers = ['Overwrite'];
  expect(await editor.save()).toBe(false);
  await waitForPrompts();
  expect(writes.map(({ intent }) => intent)).toEqual([
    undefined,
    { versionToOverwrite: version },
    { versionToOverwrite: version, approval, control: { signal }, additionalWrites: [] },
  ]);
  await editor.save();
  expect(writes.at(-1)?.intent).toBeUndefined();
});

test.each([
  { recovery: 'finish', command: 'datamodelStudio.history.finish' },
  { recovery: 'roll-back', command: 'datamodelStudio.history.rollBack' },
] as const)(
  'an interrupted save is ended on its page, and then the document is saved: $recovery',
  async ({ recovery, command }) => {
    const target = { connectionId: 'c1', entryId: 'e1' };
    const error = new modules.RecoveryReviewNeededError('c1', { entryId: 'e1', recovery });
    const { writes, recoveredPaths } = createSaves(error);
    editor.commandResult = true;
    expect(await editor.save()).toBe(false);
    await waitForPrompts();
    expect(editor.commands).toEqual([[command, target]]);
    expect(recoveredPaths).toEqual([path]);
    expect(writes.map(({ intent }) => intent)).toEqual([undefined, {}]);
  },
);

test('a document is not saved if the interrupted save was not ended', async () => {
  const error = new modules.RecoveryReviewNeededError('c1', { entryId: 'e1', recovery: 'finish' });
  const { writes, recoveredPaths } = createSaves(error);
  editor.commandResult = false;
  await editor.save();
  await waitForPrompts();
  expect(editor.commands).toHaveLength(1);
  expect([writes.length, recoveredPaths.length]).toEqual([1, 0]);
});

test('a save that needs secrets and then a review is sent with both', async () => {
  const secretsNeededError = new modules.DocumentRefusedError('secrets-needed', { paths: [['password']] });
  const { writes } = createSaves(secretsNeededError, createPlanNeededError());
  await editor.save();
  await waitForPrompts();
  expect(writes.map(({ intent }) => intent)).toEqual([
    undefined,
    { secretAnswers: secrets },
    { secretAnswers: secrets, approval, control: { signal }, additionalWrites: [] },
  ]);
});

test('secrets entered for one text are not sent with another', async () => {
  const secretsNeededError = new modules.DocumentRefusedError('secrets-needed', { paths: [['password']] });
  const version = createVersion();
  const { writes } = createSaves(secretsNeededError, () => {
    // The user continues typing while the conflict is shown.
    editor.text = '{"host": "elsewhere"}';
    return new modules.DocumentConflictError(path, version, version);
  });
  editor.answers = ['Overwrite'];
  await editor.save();
  await waitForPrompts();
  expect(writes.map(({ intent }) => intent)).toEqual([
    undefined,
    { secretAnswers: secrets },
    { versionToOverwrite: version },
  ]);
});

test("secrets entered for a text are sent when it overwrites another user's save", async () => {
  const secretsNeededError = new modules.DocumentRefusedError('secrets-needed', { paths: [['password']] });
  const version = createVersion();
  const { writes } = createSaves(
    secretsNeededError,
    new modules.DocumentConflictError(path, version, version),
  );
  editor.answers = ['Overwrite'];
  await editor.save();
  await waitForPrompts();
  expect(writes.at(-1)?.intent).toEqual({ secretAnswers: secrets, versionToOverwrite: version });
});

test('the decisions about a canceled save do not apply to the next one', async () => {
  const { writes, saves } = createSaves();
  editor.beforeWrite = () => Promise.resolve(false);
  await saves.saveWith(path, { additionalWrites: [] });
  await editor.save();
  expect(writes).toEqual([{ isExplicit: true, intent: undefined }]);
});

test('an auto save that comes first does not use the decisions of the user', async () => {
  const { writes, saves } = createSaves();
  editor.beforeWrite = async () => {
    await editor.write(autoSaveReason);
    return true;
  };
  await saves.saveWith(path, { additionalWrites: [] });
  expect(writes).toEqual([
    { isExplicit: false, intent: undefined },
    { isExplicit: true, intent: { additionalWrites: [] } },
  ]);
});

test('a manual save that comes first uses the decisions, and the next save has none', async () => {
  const { writes, saves } = createSaves();
  editor.beforeWrite = () => editor.write(manualSaveReason);
  await saves.saveWith(path, { additionalWrites: [] });
  expect(writes.map(({ intent }) => intent)).toEqual([{ additionalWrites: [] }, undefined]);
});

test('a save that the editor did not announce counts as the one that the user has just decided about', async () => {
  const { writes, saves } = createSaves();
  const saveUnannounced = () => saves.write(uri as never, new Uint8Array());
  await expect(saveUnannounced()).rejects.toMatchObject({ code: 'maybe-not-explicit' });
  editor.beforeWrite = async () => {
    await saveUnannounced();
    return false;
  };
  await saves.saveWith(path, {});
  expect(writes).toEqual([{ isExplicit: true, intent: {} }]);
});
