import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type JourneySandbox, startJourneySandbox } from '../../editor/support/journeySandbox.ts';
import type { SandboxProcessOptions } from '../../../src/sandbox/host/sandboxProcess.ts';
import { HostStudio, type StudioOptions, getHostContext } from './studio.ts';
import { WorkspaceCheck } from './workspace.ts';

/** What the tests of a suite share: the options of their studio. A suite may add its own tools. */
export interface SuiteSetup {
  readonly options: StudioOptions;
}

type Test<T> = (title: string, body: (tools: T & { readonly studio: HostStudio }) => Promise<void>) => void;

/** Starts a sandbox for the tests of a suite; it stops with the suite. */
export function startHostSandbox(options: Partial<SandboxProcessOptions> = {}): Promise<JourneySandbox> {
  return startJourneySandbox({
    script: join(getHostContext().extensionPath, 'dist', 'sandbox.js'),
    ...options,
  });
}

/**
 * Runs tests on one instance and one activation of the extension. What a test changes on the instance stays; the window
 * is reset after each test.
 */
export function describeStudio<T extends SuiteSetup>(
  title: string,
  prepare: (disposables: AsyncDisposableStack) => Promise<T>,
  define: (test: Test<T>) => void,
): void {
  describe(title, () => {
    let disposables = new AsyncDisposableStack();
    let tools: (T & { readonly studio: HostStudio; readonly workspace: WorkspaceCheck }) | undefined;
    let lastTitle = 'the tests of another suite';
    before(async () => {
      disposables = new AsyncDisposableStack();
      const prepared = await prepare(disposables);
      tools = {
        ...prepared,
        workspace: await WorkspaceCheck.create(),
        studio: disposables.use(await HostStudio.open(prepared.options)),
      };
    });
    afterEach(() => tools?.studio.reset());
    after(() => disposables.disposeAsync());
    define((name, body) => {
      it(name, async () => {
        if (tools === undefined) {
          throw new Error('The studio is not open');
        }
        requireNothingLeft(await tools.workspace.removeLeftovers(), lastTitle);
        lastTitle = name;
        try {
          await body(tools);
        } catch (error) {
          await tools.workspace.removeLeftovers();
          throw addWindowDetails(joinSuppressed(error), tools.studio);
        }
        requireNothingLeft(await tools.workspace.removeLeftovers(), name);
      });
    });
  });
}

function requireNothingLeft(left: readonly string[], title: string): void {
  assert.deepEqual(left, [], `"${title}" has left this in the workspace: ${left.join(', ')}`);
}

/** Returns one error for a failed test whose cleanup has failed, too: the error of the cleanup would hide that of the test. */
function joinSuppressed(error: unknown): unknown {
  if (!(error instanceof SuppressedError)) {
    return error;
  }
  const failure = joinSuppressed(error.suppressed);
  if (failure instanceof Error) {
    failure.message += `\nThe cleanup failed, too: ${String(error.error)}`;
  }
  return failure;
}

/** Adds the messages and the open prompt to the error of a test, since they often explain the failure. */
function addWindowDetails(error: unknown, { messages, quickInput }: HostStudio): unknown {
  if (error instanceof Error) {
    const shown =
      messages.history.length > 0 ? messages.history.map((text) => `"${text}"`).join(', ') : 'none';
    error.message += `\nMessages: ${shown}\nOpen list or box: ${quickInput.current?.getTitle() ?? 'none'}`;
  }
  return error;
}

/** Like {@link describeStudio} on a sandbox with the demo data. */
export function describeOnSandbox(
  title: string,
  define: (test: Test<SuiteSetup & { readonly sandbox: JourneySandbox }>) => void,
): void {
  const prepare = async (disposables: AsyncDisposableStack) => {
    const sandbox = disposables.use(await startHostSandbox());
    return { sandbox, options: { env: sandbox.env } };
  };
  describeStudio(title, prepare, define);
}

/** Like {@link describeOnSandbox}, but the studio has no connection to the sandbox yet. */
export function describeWithUnconnectedSandbox(
  title: string,
  define: (test: Test<SuiteSetup & { readonly sandbox: JourneySandbox }>) => void,
): void {
  const prepare = async (disposables: AsyncDisposableStack) => {
    const sandbox = disposables.use(await startHostSandbox());
    return { sandbox, options: {} };
  };
  describeStudio(title, prepare, define);
}
