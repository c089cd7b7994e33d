import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../../../src/launcher/projectRoot.ts';
import { type SandboxProcessOptions, startSandboxProcess } from '../../../src/sandbox/host/sandboxProcess.ts';
import { getDemoFolder } from '../../support/demoFolders.ts';
import { createTemporaryFolder } from './temporaryFolder.ts';

/** A sandbox for one journey, started outside the editor and injected into it. */
export interface JourneySandbox extends AsyncDisposable {
  readonly url: string;
  readonly adminToken: string;
  /** The token of a user who is not an administrator. */
  readonly userToken: string;
  /** The environment that makes the extension connect to it: for `openStudio({ env })`. */
  readonly env: Readonly<Record<string, string>>;
  /** Sends a request as its administrator and returns the parsed body. */
  request(method: string, path: string, body?: unknown): Promise<unknown>;
  stop(): Promise<void>;
}

/** The tokens of all sandboxes of this run, which no editor may leave in the clear. */
export const sandboxTokens: Set<string> = new Set();

/** The environment variable with the folder of `createDemoFolders`, if sandboxes start from it. */
export const demoFolderVariable = 'DATAMODEL_STUDIO_DEMO_FOLDER';

export async function startJourneySandbox(
  options: Partial<SandboxProcessOptions> = {},
): Promise<JourneySandbox> {
  const folder = await createTemporaryFolder();
  const script = join(projectRoot, 'dist', 'sandbox.js');
  await using disposablesOnFailure = new AsyncDisposableStack();
  disposablesOnFailure.use(folder);
  const demoRoot = process.env[demoFolderVariable];
  if (demoRoot !== undefined && (options.seed ?? 'demo') === 'demo' && options.folder === undefined) {
    await cp(getDemoFolder(demoRoot, options.profile ?? 'guide'), folder.path, { recursive: true });
  }
  const sandbox = await startSandboxProcess({ script, folder: folder.path, seed: 'demo', ...options });
  sandboxTokens.add(sandbox.adminToken).add(sandbox.userToken);
  const disposables = disposablesOnFailure.move();
  disposables.defer(() => sandbox.stop());
  return {
    url: sandbox.url,
    adminToken: sandbox.adminToken,
    userToken: sandbox.userToken,
    env: { DATAMODEL_STUDIO_SANDBOX_URL: sandbox.url, DATAMODEL_STUDIO_SANDBOX_TOKEN: sandbox.adminToken },
    request: (method, path, body) => send(sandbox, method, path, body),
    stop: () => sandbox.stop(),
    [Symbol.asyncDispose]: () => disposables.disposeAsync(),
  };
}

async function send(
  { url, adminToken }: { url: string; adminToken: string },
  method: string,
  path: string,
  body: unknown,
): Promise<unknown> {
  const response = await fetch(new URL(path, url), {
    method,
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) {
    throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 300)}`);
  }
  return text === '' ? undefined : JSON.parse(text);
}
