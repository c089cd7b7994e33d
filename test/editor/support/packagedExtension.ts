import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { installVsix } from '../../../src/launcher/codeServer.ts';
import { projectRoot } from '../../../src/launcher/projectRoot.ts';
import { createTemporaryFolder } from './temporaryFolder.ts';

/** The package created by `npm run package`. */
export const packageFile: string = join(projectRoot, 'dist', 'datamodel-studio.vsix');

/** The folder into which an editor has installed the package: only the files that users get, none of the checkout. */
export interface InstalledPackage extends AsyncDisposable {
  readonly folder: string;
}

/** Installs the package once, for use by many editors. */
export async function installPackage(): Promise<InstalledPackage> {
  const server = await createTemporaryFolder();
  try {
    await installVsix(packageFile, server.path);
    const extensions = join(server.path, 'extensions');
    const installed = (await readdir(extensions, { withFileTypes: true })).filter((entry) =>
      entry.isDirectory(),
    );
    const [extension] = installed;
    if (extension === undefined || installed.length > 1) {
      throw new Error(`Expected one extension, found ${installed.map(({ name }) => name).join(', ')}`);
    }
    return {
      folder: join(extensions, extension.name),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
}
