#!/usr/bin/env node
/**
 * Stands in for the VS Code executable that `@vscode/test-electron` starts, where desktop VS Code isn't available: takes
 * the same arguments, runs the tests in VS Code for the browser, and exits with 0 if they pass.
 */
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { format, parseArgs } from 'node:util';
import { launchChromium } from '../../src/launcher/browser.ts';
import { createFolderUrl, createRemoteUri, startCodeServer } from '../../src/launcher/codeServer.ts';
import { projectRoot } from '../../src/launcher/projectRoot.ts';
import { createTemporaryFolder } from './support/temporaryFolder.ts';

/** The folder for coverage data; set by `npm run coverage`. */
const coverageFolder = process.env['DATAMODEL_STUDIO_COVERAGE'];
const timeoutMs = Number(process.env['DATAMODEL_STUDIO_HOST_TIMEOUT'] ?? 2_400_000);

interface TestHostArguments {
  readonly extensionFolders: readonly string[];
  readonly testsPath: string;
  readonly folder: string | undefined;
  readonly isTrusted: boolean;
}

function readArguments(args: readonly string[]): TestHostArguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      extensionDevelopmentPath: { type: 'string', multiple: true, default: [] },
      extensionTestsPath: { type: 'string' },
      'disable-workspace-trust': { type: 'boolean', default: false },
    },
    // All other arguments of test-electron are for a desktop window.
    strict: false,
    allowPositionals: true,
  });
  const { extensionDevelopmentPath: extensions, extensionTestsPath: testsPath } = values;
  if (typeof testsPath !== 'string' || !Array.isArray(extensions)) {
    throw new Error('--extensionTestsPath=FILE and --extensionDevelopmentPath=FOLDER are needed');
  }
  return {
    extensionFolders: extensions.map(String),
    testsPath,
    folder: positionals[0],
    isTrusted: values['disable-workspace-trust'] === true,
  };
}

async function runInBrowser(args: TestHostArguments): Promise<number> {
  const artifacts = join(projectRoot, 'test', '.artifacts');
  await mkdir(artifacts, { recursive: true });
  await using state = await createTemporaryFolder();
  await using log = createWriteStream(join(artifacts, `${basename(args.testsPath, '.js')}.log`));
  const server = await startCodeServer({
    serverDataDir: state.path,
    acceptDevelopmentExtension: true,
    settings: args.isTrusted ? { 'security.workspace.trust.enabled': false } : {},
    env: coverageFolder === undefined ? {} : { NODE_V8_COVERAGE: coverageFolder },
    onLine: (line) => void log.write(`[server] ${line}\n`),
  });
  const browser = await launchChromium();
  try {
    // Tests read the clipboard, to which the extension copies.
    const page = await browser.newPage({ permissions: ['clipboard-read', 'clipboard-write'] });
    const { promise: exit, resolve: resolveExit } = Promise.withResolvers<number>();
    await page.exposeFunction('codeAutomationLog', (type: string, values: readonly unknown[]) => {
      const text = format(...values);
      log.write(`[${type}] ${text}\n`);
      process.stdout.write(`${text}\n`);
    });
    await page.exposeFunction('codeAutomationExit', (code: number) => resolveExit(code));
    page.once('crash', () => resolveExit(70));
    await page.goto(
      createFolderUrl(server, args.folder, [
        ...args.extensionFolders.map(
          (folder) => ['extensionDevelopmentPath', createRemoteUri(server, folder)] as const,
        ),
        ['extensionTestsPath', createRemoteUri(server, args.testsPath)],
        ['skipWelcome', 'true'],
      ]),
    );
    return await Promise.race([exit, failAfter(timeoutMs), server.ended.then(() => 71)]);
  } finally {
    await browser.close();
    await server.stop();
  }
}

async function failAfter(milliseconds: number): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  setTimeout(
    () => reject(new Error(`The tests did not end within ${milliseconds} ms`)),
    milliseconds,
  ).unref();
  return promise;
}

try {
  process.exitCode = await runInBrowser(readArguments(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
}
