import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { SaveIntent } from '../../../../src/documents/saveIntent.ts';
import type { DocumentSaves } from '../../../../src/features/documents/documentSaves.ts';
import { FakeClock } from '../../../fakes/fakeClock.ts';
import { MemoryLog } from '../../../fakes/memoryLog.ts';

const path = '/a/document';
const uri = { scheme: 'datamodel-studio', path, toString: () => path };
const byHand = 1;
const afterDelay = 2;
const secrets = new Map([['["password"]', { typed: 'x' }]]);
const approval = { planHash: {} };

/** The parts of the editor that saves need: it announces a save, and treats a rejected one as not saved. */
class Editor {
  readonly #willSave: ((event: unknown) => void)[] = [];
  /** The content of the document. */
  text = '{}';
  readonly document = {
    uri,
    version: 1,
    getText: () => this.text,
    positionAt: () => 0,
    save: () => this.save(),
  };
  saves: DocumentSaves | undefined;
  /** The buttons that the user presses in the next prompts. */
  answers: string[] = [];
  /** Runs between the save command and the write; false if the save is canceled. */
  meanwhile: () => Promise<boolean> = () => Promise.resolve(true);

  readonly api = () => {
    const nothing = { dispose: () => undefined };
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
      TextDocumentSaveReason: { Manual: byHand },
      languages: {
        createDiagnosticCollection: () => ({ ...nothing, set: () => undefined, delete: () => undefined }),
      },
      window: { showWarningMessage: ask, showInformationMessage: ask },
      workspace: {
        textDocuments: [this.document],
        getConfiguration: () => ({ get: () => 'afterDelay' }),
        getWorkspaceFolder: () => undefined,
        onDidChangeTextDocument: () => nothing,
        onDidCloseTextDocument: () => nothing,
        onWillSaveTextDocument: (listener: (event: unknown) => void) => {
          this.#willSave.push(listener);
          return nothing;
        },
      },
    };
  };

  async save(reason = byHand): Promise<boolean> {
    const { meanwhile } = this;
    this.meanwhile = () => Promise.resolve(true);
    return (await meanwhile()) && this.write(reason);
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
const load = async () => ({
  ...(await import('../../../../src/base/versionedTextCache.ts')),
  ...(await import('../../../../src/contributions.ts')),
  ...(await import('../../../../src/documents/refusals.ts')),
  ...(await import('../../../../src/documents/saveProblems.ts')),
  ...(await import('../../../../src/documents/version.ts')),
  ...(await import('../../../../src/features/documents/documentSaves.ts')),
  ...(await import('../../../../src/changes/run/writeErrors.ts')),
});
const asking = '../../../../src/features/documents/promptForSecrets.ts';
let product: Awaited<ReturnType<typeof load>>;

beforeAll(async () => {
  vi.resetModules();
  vi.doMock('vscode', editor.api);
  vi.doMock(asking, () => ({ promptForDocumentSecrets: () => Promise.resolve(secrets) }));
  product = await load();
  uri.scheme = product.schemes.document;
});

afterAll(() => {
  vi.doUnmock('vscode');
  vi.doUnmock(asking);
  vi.resetModules();
});

/** Saves whose writes end one after the other as given, with their intents and origins. */
function opened(...ends: readonly (Error | (() => Error) | undefined)[]) {
  const writes: { readonly byHand: boolean; readonly intent: SaveIntent | undefined }[] = [];
  const documents = {
    write: (_path: string, _bytes: Uint8Array, options: (typeof writes)[number]) => {
      writes.push({ byHand: options.byHand, intent: options.intent });
      const end = options.byHand ? ends[writes.length - 1] : new product.DocumentRefusedError('not-by-hand');
      return end === undefined
        ? Promise.resolve({ report: { writes: [] }, hasComments: false })
        : Promise.reject(typeof end === 'function' ? end() : end);
    },
  };
  const deps = {
    clock: new FakeClock(),
    log: new MemoryLog(),
    jsonTrees: new product.VersionedTextCache(),
    followUps: () => Promise.resolve([]),
    performer: {
      review: (_needed: unknown, run: (given: typeof approval) => Promise<unknown>) => run(approval),
    },
  };
  editor.answers = [];
  editor.text = '{}';
  editor.saves = new product.DocumentSaves(deps as never, documents as never);
  return { writes, saves: editor.saves };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const theirs = () => product.Version.create({}, () => false);
const planNeeded = () => new product.PlanNeededError({ severity: 'breaks' } as never, {} as never);

test('a save with overwrite that then needs a plan has both', async () => {
  const version = theirs();
  const { writes } = opened(new product.DocumentConflictError(path, version, version), planNeeded());
  editor.answers = ['Overwrite'];
  expect(await editor.save()).toBe(false);
  await settled();
  expect(writes.map(({ intent }) => intent)).toEqual([
    undefined,
    { overwrites: version },
    { overwrites: version, approval, additionalWrites: [] },
  ]);
  await editor.save();
  expect(writes.at(-1)?.intent).toBeUndefined();
});

test('a save that needs secrets and then a plan has both', async () => {
  const needed = new product.DocumentRefusedError('secrets-needed', { paths: [['password']] });
  const { writes } = opened(needed, planNeeded());
  await editor.save();
  await settled();
  expect(writes.map(({ intent }) => intent)).toEqual([
    undefined,
    { secrets },
    { secrets, approval, additionalWrites: [] },
  ]);
});

test('secrets entered for one text are not sent with another', async () => {
  const needed = new product.DocumentRefusedError('secrets-needed', { paths: [['password']] });
  const version = theirs();
  const { writes } = opened(needed, () => {
    // The user continues typing while the conflict is shown.
    editor.text = '{"host": "elsewhere"}';
    return new product.DocumentConflictError(path, version, version);
  });
  editor.answers = ['Overwrite'];
  await editor.save();
  await settled();
  expect(writes.map(({ intent }) => intent)).toEqual([undefined, { secrets }, { overwrites: version }]);
});

test("secrets entered for a text are sent when it overwrites another user's save", async () => {
  const needed = new product.DocumentRefusedError('secrets-needed', { paths: [['password']] });
  const version = theirs();
  const { writes } = opened(needed, new product.DocumentConflictError(path, version, version));
  editor.answers = ['Overwrite'];
  await editor.save();
  await settled();
  expect(writes.at(-1)?.intent).toEqual({ secrets, overwrites: version });
});

test('the decisions about a canceled save do not apply to the next one', async () => {
  const { writes, saves } = opened();
  editor.meanwhile = () => Promise.resolve(false);
  await saves.saveWith(path, { additionalWrites: [] });
  await editor.save();
  expect(writes).toEqual([{ byHand: true, intent: undefined }]);
});

test('an editor save in between uses none of it', async () => {
  const { writes, saves } = opened();
  editor.meanwhile = async () => {
    await editor.write(afterDelay);
    return true;
  };
  await saves.saveWith(path, { additionalWrites: [] });
  expect(writes).toEqual([
    { byHand: false, intent: undefined },
    { byHand: true, intent: { additionalWrites: [] } },
  ]);
});

test('an earlier manual save uses it, and the next one has none', async () => {
  const { writes, saves } = opened();
  editor.meanwhile = () => editor.write(byHand);
  await saves.saveWith(path, { additionalWrites: [] });
  expect(writes.map(({ intent }) => intent)).toEqual([{ additionalWrites: [] }, undefined]);
});

test('a save that the editor did not announce counts as the one that the user has just decided about', async () => {
  const { writes, saves } = opened();
  const unannounced = () => saves.write(uri as never, new Uint8Array());
  await expect(unannounced()).rejects.toMatchObject({ code: 'maybe-not-by-hand' });
  editor.meanwhile = async () => {
    await unannounced();
    return false;
  };
  await saves.saveWith(path, {});
  expect(writes).toEqual([{ byHand: true, intent: {} }]);
});
